// What the page shows now. Parts of the page listen to the keys they draw.

export type ColourMode = 'name' | 'speed' | 'pressure';

export interface Shown {
  t: number;
  playing: boolean;
  rate: number; // of play, in times of the run per second of the clock
  body: number; // whose plots are drawn
  contact: number; // that is looked at; -1: none
  follow: number; // body the camera goes with; -1: none, -2: all of them
  colour: ColourMode;
  trails: boolean;
  marks: boolean;
  walls: boolean;
  ghost: boolean;
  slices: boolean;
  dark: boolean;
}

type Listener = (shown: Shown, changed: ReadonlySet<keyof Shown>) => void;

export class State {
  private readonly listeners: Listener[] = [];

  constructor(readonly now: Shown) {}

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(part: Partial<Shown>): void {
    const changed = new Set<keyof Shown>();
    for (const key of Object.keys(part) as (keyof Shown)[])
      if (part[key] !== this.now[key]) changed.add(key);
    if (changed.size === 0) return;
    Object.assign(this.now, part);
    for (const listener of this.listeners) listener(this.now, changed);
  }
}
