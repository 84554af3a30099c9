#!/bin/sh
# Do includes go downward only, and does each third-party header stay in its folder?
# usage: layers.sh [TOP]      SPDX-License-Identifier: GPL-3.0-or-later
top=${1:-${srcdir:-.}}
export LC_ALL=C
cd "$top" || exit 1

find src -name '*.[ch]' | sort | while read -r file; do
  # The header of a source: its own, or the private one of the same name.
  own=
  for header in "${file%.c}.h" "${file%.c}_impl.h"; do
    case $file in *.c) [ -f "$header" ] && own="$own ${header#src/}" ;; esac
  done
  awk -v file="$file" -v own="$own" '
    function refuse(why) { printf "%s:%d: %s\n", file, FNR, why }

    # The folders each folder may include besides itself.
    BEGIN {
      below["base"] = ""
      below["comm"] = below["geom"] = below["draw"] = "base"
      below["grid"] = "base comm geom"
      below["body"] = "base geom"
      below["overset"] = "base comm geom grid"
      below["flow"] = "base comm grid"
      below["contact"] = "base comm geom body"
      below["io"] = "base comm geom draw grid body overset flow contact"
      below["config"] = "base"
      below["sim"] = below["io"] " io config"
      below["report"] = below["sim"] " sim"
      below["cli"] = "base io config sim report"
      below["api"] = below["sim"] " sim"
      below["main"] = "cli"

      # Third-party headers and the one folder that sees them.
      n = split("petscsys base|mpi comm|petscsf comm|p4est.* grid|p8est.* grid|sc|petscvec flow|" \
                "petscmat flow|petscpc flow|petscksp flow|petscsnes flow|cgns.* io|hdf5.* io|" \
                "yaml config|zlib draw", row, "|")
      for (i = 1; i <= n; i++) { split(row[i], part, " "); owner[part[1]] = part[2] }
      owner["sc"] = owner["sc_.*"] = "grid"
      libc = "^(assert|complex|ctype|dirent|errno|fcntl|fenv|float|glob|immintrin|inttypes|libgen" \
             "|limits|locale|malloc|math|poll|pthread|sched|setjmp|signal|stdalign|stdarg" \
             "|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|strings|tgmath" \
             "|time|unistd|sys/[a-z]+)[.]h$"

      split(file, part, "/")
      folder = part[2] == "main.c" ? "main" : part[2]
      if (!(folder in below)) refuse("folder " folder " is not in the table of layers")
    }

    function may_include(target, header,   i, n, list) {
      if (target == folder) return 1
      if (folder == "config" && target ~ /^(comm|geom|grid|body|overset|flow|contact)$/)
        return header ~ /_spec[.]h$/
      n = split(below[folder], list, " ")
      for (i = 1; i <= n; i++) if (list[i] == target) return 1
      return 0
    }

    function check_own(header,   part) {
      if (header == "config.h") {
        if (folder != "base") refuse("config.h is for base/ alone")
        return
      }
      if (split(header, part, "/") != 2) return refuse("write \"" header "\" with its folder")
      if (!may_include(part[1], header)) refuse(folder "/ may not include " header)
      if (header ~ /_impl[.]h$/ && part[1] != folder) refuse(header " is private to its folder")
    }

    function check_foreign(header,   key, stem) {
      if (header ~ libc) return
      stem = header
      sub(/[.]h$/, "", stem)
      for (key in owner)
        if (stem ~ ("^" key "$")) {
          # The interface for hosts takes their communicator.
          if (stem == "mpi" && folder == "api") return
          if (owner[key] != folder) refuse(header " is for " owner[key] "/ alone")
          return
        }
      refuse("stray header " header)
    }

    /^[ \t]*#[ \t]*include/ {
      header = $0
      sub(/^[^<"]*[<"]/, "", header)
      sub(/[>"].*$/, "", header)
      if (++seen == 1 && own != "" && index(own " ", " " header " ") == 0)
        refuse("the first include must be its own header," own)
      if ($0 ~ /"/) check_own(header)
      else check_foreign(header)
    }

    # Shapes and bodies are serial; their tests need one process.
    (folder == "geom" || folder == "body") && /(^|[^A-Za-z_])MPI_[A-Z]/ { refuse("no MPI in " folder "/") }
  ' "$file"
done | {
  ! grep .
}
