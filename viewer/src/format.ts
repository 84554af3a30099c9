// Numbers, colours and files for people.

export function number(x: number | null | undefined, digits = 5): string {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '−∞';
  if (x === 0) return '0';
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(digits - 2).replace(/\.?0+e/, 'e') : String(Number(x.toPrecision(digits)));
  return text.replace(/-/g, '−').replace('e+', 'e');
}

export function time(t: number, span: number): string {
  const digits = Math.max(0, Math.min(9, 4 - Math.floor(Math.log10(Math.max(span, 1e-12)))));
  return t.toFixed(digits).replace('-', '−');
}

/** Zero when x is nothing but rounding beside a number of the given size. */
export function beside(x: number, size: number): number {
  return Math.abs(x) < 1e-12 * size ? 0 : x;
}

/** The components; those that are rounding beside the largest, or beside size, are zero. */
export function vector(v: readonly number[], size = 0): string {
  const most = Math.max(size, ...v.map(Math.abs));
  return `(${v.map((x) => number(beside(x, most), 4)).join(', ')})`;
}

// Told apart by colour-blind eyes too; beyond ten the hues go round by the golden angle.
const PALETTE = ['#3b7dd8', '#e2703a', '#2f9e77', '#c9559b', '#b8922a', '#7a68d4', '#4aa3c7', '#c8473f', '#79a03c', '#8a6f5a'];

export function bodyColour(b: number): string {
  if (b < PALETTE.length) return PALETTE[b]!;
  return `hsl(${Math.round((b * 137.508) % 360)}, ${52 + ((b * 7) % 3) * 9}%, ${46 + ((b * 5) % 3) * 6}%)`;
}

const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]] as const;

/** From 0 to 1, dark to bright. */
export function rampColour(s: number): [number, number, number] {
  const x = Math.min(Math.max(Number.isFinite(s) ? s : 0, 0), 1) * (RAMP.length - 1);
  const k = Math.min(Math.floor(x), RAMP.length - 2);
  const a = RAMP[k]!, b = RAMP[k + 1]!;
  return [0, 1, 2].map((i) => (a[i]! + (x - k) * (b[i]! - a[i]!)) / 255) as [number, number, number];
}

export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Create an element: tag, attributes, children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string | boolean | EventListener> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
