// Play, pause, scrub: the bar below the replay, with a tick for every contact.

import { Run } from './data';
import { h, time } from './format';
import { icon } from './icons';
import { State } from './state';

const SPEEDS: [string, number][] = [['1/16×', 1 / 16], ['1/8×', 1 / 8], ['1/4×', 1 / 4], ['1/2×', 1 / 2], ['1×', 1], ['2×', 2], ['4×', 4], ['8×', 8]];
const SECONDS = 12; // that the whole run takes at speed 1

export class Timeline {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly range: HTMLInputElement;
  private readonly ticks = h('canvas', { class: 'ticks', 'aria-hidden': 'true' });
  private readonly clock = h('output', { class: 'clock', id: 'clock' });
  private readonly speed: HTMLSelectElement;
  private last = 0;

  constructor(private readonly run: Run, private readonly state: State) {
    const button = (name: string, label: string, key: string, act: () => void) =>
      h('button', { type: 'button', class: 'icon', 'aria-label': label, title: `${label} (${key})`, click: act }, icon(name));
    this.play = button('play', 'Play', 'space', () => this.toggle());
    this.play.classList.add('primary');
    this.play.id = 'play';
    this.range = h('input', { type: 'range', id: 'scrub', min: '0', max: '1000000', step: '1', value: '0', 'aria-label': 'Time' });
    this.range.addEventListener('input', () => state.set({ t: this.timeOf(Number(this.range.value) / 1e6), playing: false }));
    this.speed = h('select', { id: 'speed', 'aria-label': 'Speed of play' },
      ...SPEEDS.map(([text, value]) => h('option', value === 1 ? { value: String(value), selected: true } : { value: String(value) }, text)));
    this.speed.addEventListener('change', () => this.setSpeed());
    const track = h('div', { class: 'track' }, this.ticks, this.range);
    track.addEventListener('click', (e) => this.clickTick(e));
    this.element = h('section', { class: 'transport', 'aria-label': 'Time' },
      h('div', { class: 'buttons' },
        button('previous', 'Previous contact', '[', () => this.hop(-1)), this.play,
        button('next', 'Next contact', ']', () => this.hop(1))),
      this.clock, track, h('label', { class: 'speed' }, h('span', {}, 'Speed'), this.speed));
    this.setSpeed();
    state.listen((_, changed) => {
      if (changed.has('t')) this.show();
      if (changed.has('playing')) this.showPlaying();
      if (changed.has('dark') || changed.has('contact')) this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(track);
    const beat = (now: number) => {
      requestAnimationFrame(beat);
      this.advance((now - this.last) / 1000);
      this.last = now;
    };
    requestAnimationFrame(beat);
    this.show();
  }

  private get span(): number {
    return Math.max(this.run.end - this.run.start, 0);
  }

  private timeOf(s: number): number {
    return s >= 1 ? this.run.end : this.run.start + s * this.span;
  }

  private setSpeed(): void {
    this.state.set({ rate: (Number(this.speed.value) * this.span) / SECONDS });
  }

  faster(by: number): void {
    const k = this.speed.selectedIndex + by;
    if (k < 0 || k >= SPEEDS.length) return;
    this.speed.selectedIndex = k;
    this.setSpeed();
  }

  toggle(): void {
    const { playing, t } = this.state.now;
    if (!playing && t >= this.run.end) this.state.set({ t: this.run.start });
    this.state.set({ playing: !playing && this.span > 0 });
  }

  /** Whole frames forward or back. */
  step(by: number): void {
    if (this.run.n === 0) return;
    const f = Math.min(Math.max(this.run.frameAt(this.state.now.t) + by, 0), this.run.n - 1);
    this.state.set({ t: this.run.time[f]!, playing: false });
  }

  /** To the next contact, or the one before. */
  hop(by: number): void {
    const { contacts } = this.run, { contact, t } = this.state.now;
    const shown = contacts[contact]?.time === t;
    const until = this.run.contactsUntil(t);
    const k = shown ? contact + by : by > 0 ? until : until - 1;
    if (k < 0 || k >= contacts.length) return;
    this.state.set({ contact: k, t: contacts[k]!.time, playing: false });
  }

  private advance(seconds: number): void {
    const { playing, rate, t } = this.state.now;
    if (!playing) return;
    const next = t + rate * Math.min(seconds, 0.1);
    if (next >= this.run.end) this.state.set({ t: this.run.end, playing: false });
    else this.state.set({ t: next });
  }

  private show(): void {
    const { t } = this.state.now;
    const s = this.span > 0 ? (t - this.run.start) / this.span : 0;
    this.range.value = String(Math.round(1e6 * s));
    this.range.style.setProperty('--done', `${100 * s}%`);
    this.range.setAttribute('aria-valuetext', `t = ${time(t, this.span)}`);
    this.clock.replaceChildren(h('b', {}, time(t, this.span)), h('span', {}, ` / ${time(this.run.end, this.span)}`));
  }

  private showPlaying(): void {
    const { playing } = this.state.now;
    this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    this.play.title = `${playing ? 'Pause' : 'Play'} (space)`;
  }

  private place(k: number, width: number): number {
    const c = this.run.contacts[k]!;
    return THUMB / 2 + ((c.time - this.run.start) / (this.span || 1)) * (width - THUMB);
  }

  /** One tick for each contact, taller for a larger impulse. */
  private draw(): void {
    const { canvas, width, height } = fitCanvas(this.ticks);
    const pen = canvas.getContext('2d')!;
    pen.clearRect(0, 0, canvas.width, canvas.height);
    const ratio = canvas.width / (width || 1), style = getComputedStyle(document.documentElement);
    const most = this.run.contacts.reduce((m, c) => Math.max(m, c.size), 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const faint = Math.max(0.06, Math.min(0.85, width / (2 * this.run.contacts.length || 1)));
    // The chosen one last, over all others.
    const order = this.run.contacts.map((_, k) => k);
    if (this.state.now.contact >= 0) order.push(this.state.now.contact);
    order.forEach((k) => {
      const c = this.run.contacts[k]!;
      const strength = most > 0 && c.size > 0 ? Math.max(0, 1 + Math.log10(c.size / most) / 4) : 0;
      const tall = 5 + strength * (height - 8), x = this.place(k, width), chosen = k === this.state.now.contact;
      pen.fillStyle = style.getPropertyValue(chosen ? '--text' : '--contact');
      pen.globalAlpha = chosen ? 1 : faint;
      pen.fillRect(x - (chosen ? 1.5 : 0.75), height - tall, chosen ? 3 : 1.5, tall);
    });
  }

  private clickTick(e: MouseEvent): void {
    const box = this.ticks.getBoundingClientRect();
    if (e.clientY > box.bottom) return;
    let found = -1, least = 7;
    this.run.contacts.forEach((_, k) => {
      const far = Math.abs(this.place(k, box.width) - (e.clientX - box.left));
      if (far < least) [found, least] = [k, far];
    });
    if (found >= 0) this.state.set({ contact: found, t: this.run.contacts[found]!.time, playing: false });
    else this.state.set({ t: this.timeOf(Math.min(Math.max((e.clientX - box.left - THUMB / 2) / (box.width - THUMB), 0), 1)), playing: false });
  }
}

const THUMB = 16;

/** Make a canvas as sharp as the screen. */
export function fitCanvas(canvas: HTMLCanvasElement): { canvas: HTMLCanvasElement; width: number; height: number } {
  const { clientWidth: width, clientHeight: height } = canvas, ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  return { canvas, width, height };
}
