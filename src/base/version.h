/*
 * What this build is made of. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* "0.1.0" */
const char *version_number(void);

/* The closing summary of configure, several lines. */
const char *version_summary(void);

/* Name and version of each library, one line. */
const char *version_libraries(void);
