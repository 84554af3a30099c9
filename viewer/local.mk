# The page of carom report. What users need is dist/report.html alone, which is part of the program;
# the rest is what it is made from.
EXTRA_DIST += \
  viewer/.npmrc \
  viewer/dist/report.html \
  viewer/package-lock.json \
  viewer/package.json \
  viewer/report.html \
  viewer/src/assets.d.ts \
  viewer/src/data.ts \
  viewer/src/fleet.ts \
  viewer/src/format.ts \
  viewer/src/icons.ts \
  viewer/src/main.ts \
  viewer/src/plots.ts \
  viewer/src/scene.ts \
  viewer/src/slices.ts \
  viewer/src/state.ts \
  viewer/src/style.css \
  viewer/src/tables.ts \
  viewer/src/timeline.ts \
  viewer/src/trails.ts \
  viewer/tsconfig.json \
  viewer/vite.config.mjs

.PHONY: viewer
viewer:
	cd $(top_srcdir)/viewer && npm ci --ignore-scripts && npm run build
