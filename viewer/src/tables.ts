// Tables: contacts, bodies, facts of the run; and the same numbers as files.

import { Contact, Run } from './data';
import { beside, bodyColour, download, h, number, time, vector } from './format';
import { icon } from './icons';
import { State } from './state';

const PAGE = 100;

const BODY_COLUMNS = ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz', 'vx', 'vy', 'vz', 'wx', 'wy', 'wz', 'fx', 'fy', 'fz', 'mx', 'my', 'mz'];

function saveButton(text: string, act: () => void): HTMLButtonElement {
  return h('button', { type: 'button', class: 'save', click: act }, icon('save'), text);
}

function field(text: string | number): string {
  const s = String(text);
  return /[",\n]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s;
}

export function contactsCsv(contacts: Contact[]): string {
  const rows = contacts.map((c) => [c.time, c.a, c.b, c.kind, c.points, ...c.point, ...c.normal, c.approach, ...c.impulse, c.law, c.before, c.after].map(field).join(','));
  return ['time,body_a,body_b,kind,points,x,y,z,nx,ny,nz,approach,px,py,pz,law,energy_before,energy_after', ...rows].join('\n') + '\n';
}

export function bodiesCsv(run: Run): string {
  const rows = [['time', 'body', ...BODY_COLUMNS].join(',')];
  for (let f = 0; f < run.n; f++)
    run.heading.bodies.forEach((body, b) => rows.push([run.time[f]!, body.name, ...BODY_COLUMNS.map((k) => run.value(k, b, f))].map(field).join(',')));
  return rows.join('\n') + '\n';
}

type Column = { title: string; sort: (c: Contact) => number | string; text: (c: Contact) => string; left?: boolean };

export class ContactTable {
  readonly element = h('div', { class: 'tables' });
  private readonly body = h('tbody');
  private readonly count = h('p', { class: 'muted', role: 'status' });
  private readonly filter = h('select', { id: 'contact-filter' }, h('option', { value: '' }, 'all bodies'));
  private readonly pager = h('div', { class: 'pager' });
  private readonly columns: Column[];
  private sorted: Contact[] = [];
  private by = 0;
  private down = false;
  private page = 0;

  constructor(private readonly run: Run, private readonly state: State) {
    const span = run.end - run.start;
    this.columns = [
      { title: 'Time', sort: (c) => c.time, text: (c) => time(c.time, span) },
      { title: 'Bodies', sort: (c) => c.a, text: (c) => `${c.a} – ${c.b}`, left: true },
      { title: 'Impulse', sort: (c) => c.size, text: (c) => number(c.size, 4) },
      { title: 'Approach', sort: (c) => c.approach, text: (c) => number(c.approach, 4) },
      { title: 'Lost', sort: (c) => c.before - c.after, text: (c) => number(beside(c.before - c.after, c.before), 4) },
      { title: 'Law', sort: (c) => c.law, text: (c) => c.law, left: true },
      { title: 'Kind', sort: (c) => c.kind, text: (c) => c.kind, left: true },
    ];
    for (const name of new Set(run.contacts.flatMap((c) => [c.a, c.b]))) this.filter.append(h('option', { value: name }, name));
    this.filter.addEventListener('change', () => this.build());
    if (run.contacts.length === 0) {
      this.element.append(h('p', { class: 'blank' }, 'Nothing touched in this run.'));
      return;
    }
    this.element.append(
      h('div', { class: 'bar' }, h('label', {}, 'Show ', this.filter), this.count, saveButton('CSV', () => download('contacts.csv', contactsCsv(run.contacts)))),
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Contacts' },
        h('table', { class: 'contacts' }, h('thead', {}, h('tr', {}, ...this.columns.map((_, k) => this.heading(k)))), this.body)),
      this.pager);
    state.listen((_, changed) => {
      if (changed.has('contact')) this.showChosen();
    });
    this.build();
  }

  private heading(k: number): HTMLElement {
    const column = this.columns[k]!;
    const button = h('button', { type: 'button', click: () => this.sortBy(k) }, column.title);
    return h('th', { scope: 'col', class: column.left ? 'left' : '' }, button);
  }

  private sortBy(k: number): void {
    this.down = this.by === k ? !this.down : k !== 0 && !this.columns[k]!.left;
    this.by = k;
    this.build();
  }

  private build(): void {
    const wanted = this.filter.value, key = this.columns[this.by]!.sort, sign = this.down ? -1 : 1;
    this.sorted = this.run.contacts.filter((c) => wanted === '' || c.a === wanted || c.b === wanted);
    this.sorted.sort((x, y) => {
      const a = key(x), b = key(y);
      return a < b ? -sign : a > b ? sign : x.index - y.index;
    });
    this.element.querySelectorAll('th').forEach((th, k) => th.setAttribute('aria-sort', k !== this.by ? 'none' : this.down ? 'descending' : 'ascending'));
    const { written } = this.run.heading.contacts;
    this.count.textContent = `${this.sorted.length} of ${written} contacts`;
    this.page = 0;
    this.fill();
  }

  private fill(): void {
    const rows = this.sorted.slice(this.page * PAGE, (this.page + 1) * PAGE);
    this.body.replaceChildren(...rows.map((c) => this.row(c)));
    const pages = Math.ceil(this.sorted.length / PAGE);
    const turn = (by: number, text: string) => {
      const to = this.page + by;
      return h('button', { type: 'button', disabled: to < 0 || to >= pages, click: () => { this.page = to; this.fill(); } }, text);
    };
    this.pager.replaceChildren(...(pages > 1 ? [turn(-1, 'Previous'), h('span', {}, `page ${this.page + 1} of ${pages}`), turn(1, 'Next')] : []));
    this.showChosen();
  }

  private row(c: Contact): HTMLElement {
    const go = () => this.state.set({ contact: c.index, t: c.time, playing: false });
    const cells = this.columns.map((column, k) =>
      h('td', { class: column.left ? 'left' : '' }, k === 0 ? h('button', { type: 'button', class: 'link', 'aria-label': `Go to the contact at ${column.text(c)}`, click: go }, column.text(c)) : column.text(c)));
    const row = h('tr', { 'data-contact': String(c.index) }, ...cells);
    row.addEventListener('click', (e) => {
      if (!(e.target instanceof HTMLButtonElement)) go();
    });
    return row;
  }

  private showChosen(): void {
    for (const row of this.body.rows) {
      const chosen = Number(row.dataset['contact']) === this.state.now.contact;
      row.classList.toggle('chosen', chosen);
      if (chosen) row.scrollIntoView({ block: 'nearest' });
    }
  }
}

export class BodyTable {
  readonly element = h('div', { class: 'tables' });
  private readonly body = h('tbody');
  private shownAt = 0;

  constructor(private readonly run: Run, private readonly state: State) {
    const titles: [string, boolean][] = [['Body', true], ['Motion', true], ['Shape', true], ['Mass', false], ['Position now', true], ['Speed now', false], ['Contacts', false]];
    this.element.append(
      h('div', { class: 'bar' }, h('p', { class: 'muted' }, `${run.heading.bodies.length} bodies`),
        saveButton('CSV', () => download('bodies.csv', bodiesCsv(run)))),
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Bodies' },
        h('table', {}, h('thead', {}, h('tr', {}, ...titles.map(([title, left]) => h('th', { scope: 'col', class: left ? 'left' : '' }, title)))), this.body)));
    const touched = new Map<string, number>();
    for (const c of run.contacts) for (const name of [c.a, c.b]) touched.set(name, (touched.get(name) ?? 0) + 1);
    run.heading.bodies.forEach((body, b) => {
      const pick = h('button', { type: 'button', class: 'link', click: () => state.set({ body: b }) }, body.name);
      const dot = h('span', { class: 'dot', style: `background:${bodyColour(b)}` });
      const shape = run.heading.shapes[body.shape];
      this.body.append(h('tr', {},
        h('td', { class: 'left' }, dot, pick), h('td', { class: 'left' }, body.motion ?? '–'), h('td', { class: 'left' }, shape ? shape.kind : '–'),
        h('td', {}, number(body.mass)), h('td', { class: 'left now' }), h('td', { class: 'now' }), h('td', {}, String(touched.get(body.name) ?? 0))));
    });
    state.listen((_, changed) => {
      if (changed.has('body')) this.showChosen();
      if (changed.has('t') || changed.has('playing')) this.show();
    });
    this.showChosen();
    this.show(true);
  }

  private showChosen(): void {
    Array.from(this.body.rows).forEach((row, b) => row.classList.toggle('chosen', b === this.state.now.body));
  }

  show(always = false): void {
    const clock = performance.now(), hidden = this.element.offsetParent === null;
    if (!always && (hidden || (this.state.now.playing && clock - this.shownAt < 250))) return;
    this.shownAt = clock;
    const { run } = this, { t } = this.state.now;
    Array.from(this.body.rows).forEach((row, b) => {
      const at = ['x', 'y', 'z'].map((k) => run.sample(k, b, t)), v = ['vx', 'vy', 'vz'].map((k) => run.sample(k, b, t));
      row.cells[4]!.textContent = vector(at);
      row.cells[5]!.textContent = number(Math.hypot(v[0]!, v[1]!, v[2]!), 4);
    });
  }
}

const FACT_NAMES: Record<string, string> = {
  version: 'Carom', case: 'Case', case_hash: 'Hash of the case', ranks: 'Ranks', libraries: 'Libraries', host: 'Machine', started: 'Started',
  written: 'Last written', seconds: 'Seconds', step: 'Step', steps: 'Steps in all', time: 'Time reached', contacts: 'Contacts', exit_reason: 'Ended', exit_status: 'Exit status',
};

export function facts(run: Run, title: string): HTMLElement {
  const { heading } = run, list = h('dl', { class: 'facts' });
  const add = (name: string, value: string) => list.append(h('div', {}, h('dt', {}, name), h('dd', {}, value)));
  add('Results', heading.directory);
  for (const [key, value] of Object.entries(run.facts)) add(FACT_NAMES[key] ?? key.replace(/_/g, ' '), typeof value === 'number' ? number(value, 8) : String(value));
  add('Frames', `${heading.frames.kept} of ${heading.frames.written}`);
  add('Report made', `${heading.made} by carom ${heading.version}`);
  const element = h('section', { class: 'tables' }, h('h3', {}, title), list);
  if (heading.verified)
    element.append(h('details', { open: true }, h('summary', {}, 'Verification'), h('pre', { tabindex: '0', 'aria-label': 'Verification' }, heading.verified)));
  if (heading.case !== null)
    element.append(h('details', {}, h('summary', {}, 'Case file'), h('pre', { tabindex: '0', 'aria-label': 'Case file' }, heading.case)));
  return element;
}
