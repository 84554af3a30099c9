// The data of a run as `carom report` packs them: see src/report/pack.h.

export interface BodyInfo {
  name: string;
  motion: string | null;
  mass: number | null;
  center: [number, number, number];
  inertia: [number, number, number];
  shape: number;
  skin: number; // its first vertex among those with pressure; -1: none
}

export interface WallInfo {
  name: string;
  point: [number, number, number];
  normal: [number, number, number];
}

/** A picture of the flow as the run wrote it, and where it belongs. */
export interface Slice {
  slice: number;
  time: number;
  quantity: string;
  low: number;
  high: number;
  crop: [number, number, number, number]; // of the picture: left, top, width, height
  corner: [number, number, number]; // lower left of that, in the world
  right: [number, number, number]; // its edges
  up: [number, number, number];
  bytes: Uint8Array<ArrayBuffer>; // PNG
}

export interface Heading {
  format: number;
  title: string | null;
  directory: string;
  made: string;
  version: string;
  notes: string[];
  bodies: BodyInfo[];
  shapes: { kind: string; vertices: number; triangles: number }[];
  walls: WallInfo[];
  names: string[];
  gravity: [number, number, number];
  end: number | null;
  frames: { kept: number; written: number; from_case: boolean };
  contacts: { kept: number; written: number };
  reference: { force: number; moment: number } | null;
  flow: string[];
  slices: { bytes: number; note: string }[];
  verified: string | null;
  run: string | null;
  case: string | null;
  arrays: { name: string; type: string; rows: number; columns: number; offset: number }[];
}

export interface Contact {
  index: number;
  time: number;
  a: string;
  b: string;
  kind: string;
  points: number;
  law: string;
  point: [number, number, number];
  normal: [number, number, number];
  approach: number;
  impulse: [number, number, number];
  size: number; // of the impulse
  before: number;
  after: number;
}

export interface Surface {
  vertex: Float32Array; // three numbers each
  corner: Int32Array; // three vertices for each triangle
  normal: Int16Array; // two numbers for each corner: octahedron
}

const NOTHING = new Float64Array(0);
const KINDS = ['point', 'line', 'plane'];
const LAWS = ['algebraic', 'stronge', 'rest', 'hertz'];

async function inflate(text: string): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === 'undefined')
    throw new Error('This browser cannot unpack the data: it has no DecompressionStream.');
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

/** Undo differences and byte planes of a history in single precision. */
function unfold(bytes: Uint8Array, rows: number, columns: number): Float32Array {
  const n = rows * columns;
  const bits = new Int32Array(n);
  for (let r = 0, i = 0; r < rows; r++)
    for (let c = 0, last = 0; c < columns; c++, i++) {
      const step = bytes[i]! | (bytes[n + i]! << 8) | (bytes[2 * n + i]! << 16) | (bytes[3 * n + i]! << 24);
      last = (last + step) | 0;
      bits[i] = last;
    }
  return new Float32Array(bits.buffer);
}

export class Run {
  readonly n: number; // frames
  readonly time: Float64Array;
  readonly contacts: Contact[];
  readonly facts: Record<string, unknown>;
  readonly slices: Slice[];
  private readonly arrays = new Map<string, Float32Array | Float64Array | Int32Array | Int16Array | Uint8Array>();
  private readonly origin: ArrayLike<number>; // positions are kept from there
  private readonly row: number;

  constructor(readonly heading: Heading, bytes: ArrayBuffer, start: number) {
    for (const a of heading.arrays) {
      const n = a.rows * a.columns, at = start + a.offset;
      if (a.type === 'f64') this.arrays.set(a.name, new Float64Array(bytes, at, n));
      else if (a.type === 'i32') this.arrays.set(a.name, new Int32Array(bytes, at, n));
      else if (a.type === 'u8') this.arrays.set(a.name, new Uint8Array(bytes, at, n));
      else if (a.type === 'i16') this.arrays.set(a.name, new Int16Array(bytes, at, n));
      else this.arrays.set(a.name, unfold(new Uint8Array(bytes, at, 4 * n), a.rows, a.columns));
    }
    this.time = this.array('time') as Float64Array;
    this.n = this.row = this.time.length;
    this.origin = this.array('origin');
    this.contacts = this.readContacts();
    this.facts = this.readFacts();
    this.slices = this.readSlices();
  }

  private array(name: string) {
    return this.arrays.get(name) ?? NOTHING;
  }

  private readContacts(): Contact[] {
    const words = this.array('contact_words'), numbers = this.array('contact_numbers');
    const name = (k: number) => this.heading.names[k] ?? '?';
    return Array.from({ length: words.length / 5 }, (_, index) => {
      const w = words.subarray(5 * index, 5 * index + 5);
      const x = Array.from(numbers.subarray(14 * index, 14 * index + 14)) as number[];
      return {
        index, time: x[0]!, a: name(w[0]!), b: name(w[1]!), kind: KINDS[w[2]!] ?? 'unknown',
        points: w[3]!, law: LAWS[w[4]!] ?? 'unknown', point: [x[1]!, x[2]!, x[3]!],
        normal: [x[4]!, x[5]!, x[6]!], approach: x[7]!, impulse: [x[8]!, x[9]!, x[10]!],
        size: Math.hypot(x[8]!, x[9]!, x[10]!), before: x[11]!, after: x[12]!,
      };
    });
  }

  private readFacts(): Record<string, unknown> {
    try {
      const facts: unknown = JSON.parse(this.heading.run ?? '{}');
      return typeof facts === 'object' && facts !== null ? (facts as Record<string, unknown>) : {};
    } catch {
      this.heading.notes.push('run.json is damaged: how the run ended is unknown');
      return {};
    }
  }

  private readSlices(): Slice[] {
    const all = this.array('slices') as Uint8Array<ArrayBuffer>, list: Slice[] = [];
    let at = 0;
    for (const { bytes, note } of this.heading.slices ?? []) {
      try {
        list.push({ ...(JSON.parse(note) as Omit<Slice, 'bytes'>), bytes: all.subarray(at, at + bytes) });
      } catch {
        this.heading.notes.push('a slice is damaged and left out');
      }
      at += bytes;
    }
    return list.sort((a, b) => a.slice - b.slice || a.time - b.time);
  }

  /** Lowest and highest pressure on bodies; null: it is not known. */
  get skinRange(): [number, number] | null {
    const range = this.array('skin_range');
    return range.length === 2 ? [range[0]!, range[1]!] : null;
  }

  /** Pressure from 0 (lowest) to 1 on n vertices from `first` on at time t; -1: not known. */
  skin(first: number, n: number, t: number, out: Float32Array): void {
    const times = this.array('skin_time'), steps = this.array('skin');
    const all = times.length > 0 ? steps.length / times.length : 0;
    let k = 0;
    while (k + 1 < times.length && times[k + 1]! <= t) k++;
    const next = Math.min(k + 1, times.length - 1), span = times[next]! - times[k]!;
    const s = span > 0 ? Math.min(Math.max((t - times[k]!) / span, 0), 1) : 0;
    for (let i = 0; i < n; i++) {
      const a = steps[k * all + first + i] ?? -1, b = steps[next * all + first + i] ?? -1;
      out[i] = a < 0 || b < 0 ? -1 : (a + s * (b - a)) / 32767;
    }
  }

  get start(): number {
    return this.n > 0 ? this.time[0]! : 0;
  }

  get end(): number {
    return this.n > 0 ? this.time[this.n - 1]! : 0;
  }

  /** Number `name` (x, qw, vx, ...) of body b in frame f. */
  value(name: string, b: number, f: number): number {
    const v = this.array(name)[b * this.row + f] ?? NaN;
    const axis = name === 'x' ? 0 : name === 'y' ? 1 : name === 'z' ? 2 : -1;
    return axis < 0 ? v : v + (this.origin[3 * b + axis] ?? 0);
  }

  history(name: string, b: number): Float64Array {
    return Float64Array.from({ length: this.n }, (_, f) => this.value(name, b, f));
  }

  /** Is the history zero for all bodies? */
  isZero(names: string[]): boolean {
    return names.every((name) => this.array(name).every((v) => v === 0));
  }

  /** kinetic, of rotation, potential, lost in contacts */
  energy(k: number): Float64Array {
    return (this.array('energy') as Float64Array).subarray(k * this.n, (k + 1) * this.n);
  }

  /** The last frame at or before t. */
  frameAt(t: number): number {
    let low = 0, high = this.n;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.time[middle]! <= t) low = middle;
      else high = middle;
    }
    return low;
  }

  /** The contacts at or before t. */
  contactsUntil(t: number): number {
    let low = 0, high = this.contacts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.contacts[middle]!.time <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Frame, and how far towards the next one. */
  at(t: number): { f: number; s: number } {
    const f = this.frameAt(t);
    if (f + 1 >= this.n) return { f, s: 0 };
    const s = (t - this.time[f]!) / (this.time[f + 1]! - this.time[f]!);
    return { f, s: Math.min(Math.max(s, 0), 1) };
  }

  /** A history at any time, straight between frames. */
  sample(name: string, b: number, t: number): number {
    if (this.n === 0) return NaN;
    const { f, s } = this.at(t);
    const v = this.value(name, b, f);
    return s === 0 ? v : v + s * (this.value(name, b, f + 1) - v);
  }

  surface(k: number): Surface | null {
    const shapes = this.heading.shapes, shape = shapes[k];
    if (!shape || shape.triangles === 0) return null;
    let v = 0, t = 0;
    for (let i = 0; i < k; i++) {
      v += shapes[i]!.vertices;
      t += shapes[i]!.triangles;
    }
    return {
      vertex: (this.array('vertex') as Float32Array).subarray(3 * v, 3 * (v + shape.vertices)),
      corner: (this.array('corner') as Int32Array).subarray(3 * t, 3 * (t + shape.triangles)),
      normal: (this.array('normal') as Int16Array).subarray(6 * t, 6 * (t + shape.triangles)),
    };
  }

  /** A column of flow.csv, or null. */
  flow(name: string): Float64Array | null {
    const columns = this.heading.flow.length, k = this.heading.flow.indexOf(name);
    const all = this.array('flow');
    if (k < 0 || all.length === 0) return null;
    return Float64Array.from({ length: all.length / columns }, (_, r) => all[r * columns + k]!);
  }
}

/** Open the block of text that an element holds; null when it is empty. */
export async function openRun(element: HTMLElement | null): Promise<Run | null> {
  const text = element?.textContent?.trim() ?? '';
  if (text === '' || text.startsWith('@')) return null;
  const bytes = await inflate(text);
  const length = new DataView(bytes).getUint32(0, true);
  const heading = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length))) as Heading;
  return new Run(heading, bytes, 4 + length);
}
