// Plots over time, linked to the replay: the line shows now, a click goes there.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { Run } from './data';
import { beside, bodyColour, h, number } from './format';
import { State } from './state';

interface Line {
  label: string;
  values: ArrayLike<number | null>;
  colour: string;
  dash?: boolean;
}

interface PlotSpec {
  title: string;
  note?: string;
  time: ArrayLike<number>;
  lines: Line[];
  log?: boolean;
}

const AXES = ['#c8473f', '#2f9e77', '#3b7dd8', '#8a6fd0'];
const EXTRA = ['#3b7dd8', '#e2703a', '#2f9e77', '#c9559b', '#b8922a', '#7a68d4', '#4aa3c7', '#c8473f', '#79a03c', '#8a6f5a'];
const OVERVIEW = 12; // bodies in the plot of all of them
const HEIGHT = 172;

/** Roll, pitch and yaw in degrees, R = Rz(yaw) Ry(pitch) Rx(roll). */
export function euler(w: number, x: number, y: number, z: number): [number, number, number] {
  const deg = 180 / Math.PI, s = 2 * (w * y - z * x);
  return [
    deg * Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    deg * Math.asin(Math.min(Math.max(s, -1), 1)),
    deg * Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

/** Leave a gap where an angle jumps from one end of its range to the other. */
function breakJumps(angle: Float64Array): (number | null)[] {
  const jumps = (i: number) => Math.abs((angle[i] ?? NaN) - (angle[i - 1] ?? NaN)) > 180;
  return Array.from(angle, (v, i) => (jumps(i) || jumps(i + 1) ? null : v));
}

export class Plots {
  readonly element = h('div', { class: 'plots' });
  private plots: { plot: uPlot; time: ArrayLike<number>; head: HTMLElement }[] = [];
  private shownAt = 0;

  constructor(private readonly run: Run, private readonly ghost: Run | null, private readonly state: State) {
    state.listen((_, changed) => {
      if (changed.has('body') || changed.has('dark') || changed.has('ghost')) this.build();
      else if (changed.has('t') || changed.has('playing')) this.point();
    });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Three numbers of the chosen body, with those of the ghost dashed. */
  private triple(names: string[], labels: string[], scale = 1): Line[] {
    const { run, state } = this, b = state.now.body;
    const lines: Line[] = names.map((name, k) => ({ label: labels[k]!, colour: AXES[k]!, values: run.history(name, b).map((v) => v * scale) }));
    const other = this.ghostBody();
    if (other >= 0)
      names.forEach((name, k) => lines.push({ label: `${labels[k]}′`, colour: AXES[k]!, dash: true, values: this.atTimes((t) => this.ghost!.sample(name, other, t) * scale) }));
    return lines;
  }

  private atTimes(f: (t: number) => number): (number | null)[] {
    const end = this.ghost!.end;
    return Array.from(this.run.time, (t) => (t > end ? null : f(t)));
  }

  private ghostBody(): number {
    if (!this.ghost || this.ghost.n === 0 || !this.state.now.ghost) return -1;
    const name = this.run.heading.bodies[this.state.now.body]?.name;
    return this.ghost.heading.bodies.findIndex((b) => b.name === name);
  }

  private attitude(): Line[] {
    const angles = (run: Run, b: number) => {
      const q = ['qw', 'qx', 'qy', 'qz'].map((name) => run.history(name, b));
      return [0, 1, 2].map((k) => breakJumps(Float64Array.from({ length: run.n }, (_, f) => euler(q[0]![f]!, q[1]![f]!, q[2]![f]!, q[3]![f]!)[k]!)));
    };
    const own = angles(this.run, this.state.now.body);
    return ['roll', 'pitch', 'yaw'].map((label, k) => ({ label, colour: AXES[k]!, values: own[k]! }));
  }

  private speeds(): Line[] {
    return this.run.heading.bodies.slice(0, OVERVIEW).map((body, b) => {
      const v = ['vx', 'vy', 'vz'].map((k) => this.run.history(k, b));
      return { label: body.name, colour: bodyColour(b), values: v[0]!.map((_, f) => Math.hypot(v[0]![f]!, v[1]![f]!, v[2]![f]!)) };
    });
  }

  private energies(): Line[] {
    const [linear, turning, potential, lost] = [0, 1, 2, 3].map((k) => this.run.energy(k));
    const total = linear!.map((_, f) => linear![f]! + turning![f]! + potential![f]!);
    const lines: Line[] = [{ label: 'kinetic', colour: EXTRA[0]!, values: linear! }, { label: 'of rotation', colour: EXTRA[5]!, values: turning! }];
    if (potential!.some((v) => v !== 0)) lines.push({ label: 'potential', colour: EXTRA[2]!, values: potential! });
    lines.push({ label: 'sum', colour: EXTRA[9]!, values: total });
    if (lost!.some((v) => v !== 0)) lines.push({ label: 'lost in contacts', colour: EXTRA[1]!, values: lost!, dash: true });
    return lines;
  }

  private specs(): PlotSpec[] {
    const { run } = this, { heading } = run, list: PlotSpec[] = [];
    const name = heading.bodies[this.state.now.body]?.name ?? '';
    const add = (title: string, lines: Line[], note?: string) => list.push({ title, lines, time: run.time, ...(note ? { note } : {}) });
    if (run.n > 0 && name !== '') {
      add(`Position of ${name}`, this.triple(['x', 'y', 'z'], ['x', 'y', 'z']));
      add(`Velocity of ${name}`, this.triple(['vx', 'vy', 'vz'], ['vx', 'vy', 'vz']));
      add(`Attitude of ${name}`, this.attitude(), 'degrees; yaw, then pitch, then roll');
      add(`Spin of ${name}`, this.triple(['wx', 'wy', 'wz'], ['ωx', 'ωy', 'ωz']), 'inertial axes');
      const c = heading.reference;
      if (!run.isZero(['fx', 'fy', 'fz']))
        add(`Air force on ${name}`, this.triple(['fx', 'fy', 'fz'], c ? ['Cx', 'Cy', 'Cz'] : ['fx', 'fy', 'fz'], c ? 1 / c.force : 1), c ? 'coefficients' : 'inertial axes');
      if (!run.isZero(['mx', 'my', 'mz']))
        add(`Air moment on ${name}`, this.triple(['mx', 'my', 'mz'], c ? ['Cmx', 'Cmy', 'Cmz'] : ['mx', 'my', 'mz'], c ? 1 / c.moment : 1), 'about the mass centre');
      if (heading.bodies.length > 1)
        add('Speed of all bodies', this.speeds(), heading.bodies.length > OVERVIEW ? `the first ${OVERVIEW}` : undefined);
      if (heading.case !== null && !heading.frames.from_case) add('Energy of all moving bodies', this.energies());
    }
    this.addFlow(list);
    return list;
  }

  /** What flow.csv holds: residuals, cell states, seconds, extremes. */
  private addFlow(list: PlotSpec[]): void {
    const { run } = this, t = run.flow('time');
    if (!t) return;
    const columns = run.heading.flow;
    const add = (title: string, names: string[], strip: RegExp, log = false) => {
      const lines = names.map((n, k) => ({ label: n.replace(strip, ''), colour: EXTRA[k % EXTRA.length]!, values: run.flow(n)!.map((v) => (log && v <= 0 ? NaN : v)) }));
      if (lines.length > 0) list.push({ title, lines, time: t, log });
    };
    add('Residuals', columns.filter((n) => n.startsWith('residual')), /^residual_?/, true);
    const body = run.heading.bodies[this.state.now.body]?.name ?? '', of = (stem: RegExp) => columns.filter((n) => stem.test(n) && n.endsWith(`_${body}`));
    const short = new RegExp(`_${body.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
    add(`Force coefficients of ${body}`, of(/^c[dls](_friction)?_/), short);
    add(`Moment coefficients of ${body}`, of(/^cm[xyz]_/), short);
    add('Cells', columns.filter((n) => n.startsWith('cells_')), /^cells_/);
    add('Orphans', columns.filter((n) => n === 'orphans'), /^$/);
    add('Seconds for each stage', columns.filter((n) => n.startsWith('seconds_')), /^seconds_/);
    add('Mass defect', columns.filter((n) => n === 'mass_defect'), /^$/);
    add('Pressure', columns.filter((n) => n.startsWith('pressure_')), /^pressure_/);
    add('Density', columns.filter((n) => n.startsWith('density_')), /^density_/);
  }

  build(): void {
    for (const { plot } of this.plots) plot.destroy();
    this.plots = [];
    this.element.replaceChildren();
    for (const spec of this.specs()) this.add(spec);
    if (this.plots.length === 0) this.element.append(h('p', { class: 'blank' }, 'There are no histories to plot.'));
    this.point();
  }

  private width(): number {
    return Math.max(240, this.element.clientWidth - 18);
  }

  private add(spec: PlotSpec): void {
    const card = h('figure', { class: 'plot' },
      h('figcaption', {}, h('h3', {}, spec.title), ...(spec.note ? [h('span', {}, spec.note)] : [])));
    this.element.append(card);
    const style = getComputedStyle(document.documentElement), muted = style.getPropertyValue('--muted').trim(), rule = style.getPropertyValue('--rule').trim();
    const axis = { stroke: muted, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1, size: 4 }, font: '11px system-ui, sans-serif' };
    const most = spec.log ? 0 : largest(spec.lines);
    const options: uPlot.Options = {
      width: this.width(), height: HEIGHT, padding: [8, 14, 0, 0],
      scales: { x: { time: false }, y: spec.log ? { distr: 3 } : {} },
      axes: [
        { ...axis, size: 26, space: 60, values: (_, ticks) => ticks.map((v) => number(v, 6)) },
        { ...axis, size: 58, values: (_, ticks) => ticks.map((v) => (v === null ? '' : number(v, 6))) },
      ],
      series: [
        { label: 't', value: (_, v) => number(v, 6) },
        ...spec.lines.map((l) => ({
          label: l.label, stroke: l.colour, width: l.dash ? 1.3 : 1.6, value: (_: uPlot, v: number | null) => number(v === null ? v : beside(v, most)),
          points: { show: spec.time.length < 3 }, ...(l.dash ? { dash: [5, 4] } : {}),
        })),
      ],
      cursor: { sync: { key: 'carom' }, drag: { x: true, y: false, uni: 8 }, points: { size: 6 } },
      legend: { live: true },
      hooks: { draw: [(u) => this.drawContacts(u)], setScale: [() => this.point()] },
    };
    const plot = new uPlot(options, [spec.time, ...spec.lines.map((l) => l.values)] as unknown as uPlot.AlignedData, card);
    const head = h('div', { class: 'playhead' });
    plot.over.append(head);
    plot.over.addEventListener('click', (e) => {
      const t = plot.posToVal(e.offsetX, 'x');
      this.state.set({ t: Math.min(Math.max(t, this.run.start), this.run.end), playing: false });
    });
    plot.over.addEventListener('mouseleave', () => this.point(true));
    this.plots.push({ plot, time: spec.time, head });
  }

  /** Faint lines at the contacts of the chosen body. */
  private drawContacts(u: uPlot): void {
    const name = this.run.heading.bodies[this.state.now.body]?.name, pen = u.ctx;
    if (!this.state.now.marks) return;
    pen.save();
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--contact');
    pen.globalAlpha = 0.5;
    let last = -10;
    for (const c of this.run.contacts) {
      if (c.a !== name && c.b !== name) continue;
      const x = Math.round(u.valToPos(c.time, 'x', true));
      if (x - last < 2 || x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
      pen.fillRect(x, u.bbox.top + u.bbox.height - 7 * devicePixelRatio, devicePixelRatio, 7 * devicePixelRatio);
      last = x;
    }
    pen.restore();
  }

  /** Show where now is, and the values there. */
  private point(always = false): void {
    const clock = performance.now(), { t, playing } = this.state.now;
    const values = always || !playing || clock - this.shownAt > 120;
    if (values) this.shownAt = clock;
    for (const { plot, time, head } of this.plots) {
      const x = plot.valToPos(t, 'x');
      head.style.transform = `translateX(${x}px)`;
      head.style.display = x < 0 || x > plot.over.clientWidth ? 'none' : '';
      if (values && !plot.over.matches(':hover')) plot.setLegend({ idx: nearest(time, t) } as never, false);
    }
  }

  private resize(): void {
    const width = this.width();
    for (const { plot } of this.plots) if (plot.width !== width) plot.setSize({ width, height: HEIGHT });
    this.point();
  }
}

/** The largest value of all lines, whatever its sign. */
function largest(lines: Line[]): number {
  let most = 0;
  for (const { values } of lines) for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i] ?? 0) || 0);
  return most;
}

function nearest(time: ArrayLike<number>, t: number): number {
  let low = 0, high = time.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time[middle]! <= t) low = middle;
    else high = middle;
  }
  return low + 1 < time.length && time[low + 1]! - t < t - time[low]! ? low + 1 : low;
}
