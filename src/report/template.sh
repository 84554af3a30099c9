#!/bin/sh
# The page template as C: an array of its bytes. usage: template.sh REPORT.html >template.c
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
echo '#include "report/page.h"'
echo
echo 'const unsigned char page_template[] = {'
od -An -v -tu1 "$1" | sed 's/  */,/g; s/^,//; s/$/,/'
echo '0};'
