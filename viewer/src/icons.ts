// Small drawings for buttons.

const PATHS: Record<string, string> = {
  play: 'M7 4.5v15l12.5-7.5z',
  pause: 'M6.5 5h4v14h-4zM13.5 5h4v14h-4z',
  previous: 'M6 5h2.4v14H6zM19 5v14L9.5 12z',
  next: 'M15.6 5H18v14h-2.4zM5 5v14l9.5-7z',
  fit: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
  theme: 'M12 3a9 9 0 1 0 0 18zM12 5a7 7 0 0 1 0 14z',
  help: 'M11 16h2v2h-2zM12 5a4 4 0 0 0-4 4h2a2 2 0 1 1 3.1 1.7C12 11.500 11 12.300 11 14h2c0-1 .600-1.500 1.500-2.200A4 4 0 0 0 12 5z',
  save: 'M11 4h2v8l3-3 1.400 1.400L12 15.800l-5.400-5.400L8 9l3 3zM5 18h14v2H5z',
};

export function icon(name: string): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name] ?? '');
  svg.append(path);
  return svg;
}
