// The report page: opens the data, puts the parts together, listens to keys.

import './style.css';
import type { Camera } from 'three';
import { Contact, openRun, Run } from './data';
import { beside, bodyColour, h, number, rampColour, time, vector } from './format';
import { icon } from './icons';
import { Plots } from './plots';
import { Scene } from './scene';
import { ColourMode, State } from './state';
import { BodyTable, ContactTable, facts } from './tables';
import { Timeline } from './timeline';

const KEYS: [string, string][] = [
  ['Space', 'play, pause'], ['← →', 'one frame back, on'], ['Shift ← →', 'twenty frames'], ['[ ]', 'contact before, after'],
  ['Home End', 'start, end'], [', .', 'slower, faster'], ['F', 'see everything'], ['B', 'follow the chosen body'], ['N', 'next body'],
  ['S P', 'colour by speed, by pressure'], ['T', 'trails'], ['C', 'contact marks'], ['W', 'walls and grid'], ['L', 'slices of the flow'], ['G', 'ghost of the other run'], ['D', 'light, dark'], ['?', 'this list'],
];

function wantsDark(): boolean {
  try {
    const kept = localStorage.getItem('carom-theme');
    if (kept) return kept === 'dark';
  } catch {
    // A page from disk may not be allowed to keep anything.
  }
  return window.matchMedia('(prefers-color-scheme: dark)').matches;
}

function setTheme(dark: boolean, keep: boolean): void {
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light';
  if (!keep) return;
  try {
    localStorage.setItem('carom-theme', dark ? 'dark' : 'light');
  } catch {
    // As above.
  }
}

/** How the run stands, in one word or two. */
function standing(run: Run): { text: string; kind: string } {
  const reason = run.facts['exit_reason'], status = run.facts['exit_status'];
  if (typeof reason !== 'string') return { text: 'state unknown', kind: 'warn' };
  if (reason === 'running') return { text: 'running, or cut off', kind: 'live' };
  if (status === 0 && reason === 'done') return { text: 'done', kind: 'good' };
  return { text: status === 75 ? `stopped: ${reason}` : reason, kind: status === 0 ? 'good' : 'warn' };
}

/** The axes of space as seen from the camera. */
function triad(): { element: SVGElement; turn: (camera: Camera) => void } {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '-32 -32 64 64');
  svg.setAttribute('class', 'triad');
  svg.setAttribute('aria-hidden', 'true');
  const turn = (camera: Camera) => {
    const m = camera.matrixWorldInverse.elements;
    const axes = [0, 1, 2].map((k) => ({ k, x: 22 * m[4 * k]!, y: -22 * m[4 * k + 1]!, z: m[4 * k + 2]! })).sort((a, b) => a.z - b.z);
    svg.innerHTML = axes.map(({ k, x, y }) =>
      `<g class="axis${k}"><line x1="0" y1="0" x2="${x.toFixed(1)}" y2="${y.toFixed(1)}"/><text x="${(1.32 * x).toFixed(1)}" y="${(1.32 * y).toFixed(1)}">${'xyz'[k]}</text></g>`).join('');
  };
  return { element: svg, turn };
}

function toggle(state: State, key: 'trails' | 'marks' | 'walls' | 'ghost' | 'slices', text: string, letter: string): HTMLElement {
  const box = h('input', { type: 'checkbox', id: `show-${key}` });
  box.checked = state.now[key];
  box.addEventListener('change', () => state.set({ [key]: box.checked }));
  state.listen((now, changed) => {
    if (changed.has(key)) box.checked = now[key];
  });
  return h('label', { class: 'check', title: `${text} (${letter})` }, box, h('span', {}, text));
}

function select(id: string, label: string, options: [string, string][], now: () => string, act: (value: string) => void, state: State): HTMLElement {
  const box = h('select', { id }, ...options.map(([value, text]) => h('option', { value }, text)));
  box.value = now();
  box.addEventListener('change', () => act(box.value));
  state.listen(() => {
    if (box.value !== now()) box.value = now();
  });
  return h('label', { class: 'choice' }, h('span', {}, label), box);
}

/** What is known of the contact that is looked at. */
function contactCard(run: Run, state: State, timeline: Timeline): HTMLElement {
  const size = Math.max(...run.contacts.slice(0, 1000).map((c) => Math.hypot(...c.point)), 0);
  const card = h('section', { class: 'contact-card', id: 'contact-card', 'aria-label': 'Contact', 'aria-live': 'polite', hidden: true });
  const show = (c: Contact | undefined) => {
    card.hidden = !c;
    if (!c) return;
    const lost = beside(c.before - c.after, c.before), list = h('dl');
    const add = (name: string, value: string, kind = '') => list.append(h('dt', { class: kind }, name), h('dd', {}, value));
    add('Time', time(c.time, run.end - run.start));
    add('At', vector(c.point, size));
    add('Normal', vector(c.normal), 'normal');
    add('Impulse', `${number(c.size, 4)}  ${vector(c.impulse)}`, 'impulse');
    add('Approach', number(c.approach, 4));
    add('Law', `${c.law}, ${c.kind}${c.points > 1 ? ` of ${c.points} points` : ''}`);
    add('Energy', `${number(c.before, 4)} → ${number(c.after, 4)}${c.before > 0 ? ` (${number((-100 * lost) / c.before, 3)} %)` : ''}`);
    card.replaceChildren(
      h('header', {}, h('h2', {}, `${c.a} – ${c.b}`), h('span', { class: 'muted' }, `${c.index + 1} of ${run.contacts.length}`),
        h('button', { type: 'button', class: 'close', 'aria-label': 'Close', click: () => state.set({ contact: -1 }) }, '×')),
      list,
      h('footer', {}, h('button', { type: 'button', click: () => timeline.hop(-1) }, 'Before'), h('button', { type: 'button', click: () => timeline.hop(1) }, 'After')));
  };
  state.listen((now, changed) => {
    if (changed.has('contact')) show(run.contacts[now.contact]);
  });
  return card;
}

/** A bar of colours from `low` to `high`. */
function barLegend(low: string, high: string): HTMLElement {
  const stops = [0, 0.25, 0.5, 0.75, 1].map((s) => `rgb(${rampColour(s).map((v) => Math.round(255 * v)).join(' ')})`).join(', ');
  return h('div', { class: 'legend' }, h('span', {}, low), h('i', { style: `background:linear-gradient(90deg, ${stops})` }), h('span', {}, high));
}

function colourLegend(mode: ColourMode, low: string, high: string, state: State): HTMLElement {
  const legend = barLegend(low, high);
  const show = () => { legend.hidden = state.now.colour !== mode; };
  state.listen(show);
  show();
  return legend;
}

/** What the slices show at the time shown; one bar where they have the same colours. */
function sliceLegend(scene: Scene, state: State): HTMLElement {
  const host = h('div', { class: 'legend-list', id: 'slice-legend' });
  let last = '';
  const show = () => {
    host.hidden = !state.now.slices;
    const bars = new Map(scene.slices.shown(state.now.t).map((s) => [`${s.quantity} ${number(s.low, 3)}`, number(s.high, 3)]));
    const now = JSON.stringify([...bars]);
    if (now === last) return;
    last = now;
    host.replaceChildren(...[...bars].map(([low, high]) => barLegend(low, high)));
  };
  state.listen(show);
  show();
  return host;
}

function nameLegend(run: Run, state: State): HTMLElement {
  const most = 8, legend = h('div', { class: 'legend names' });
  run.heading.bodies.slice(0, most).forEach((body, b) => legend.append(
    h('button', { type: 'button', click: () => state.set({ body: b }) }, h('span', { class: 'dot', style: `background:${bodyColour(b)}` }), body.name)));
  if (run.heading.bodies.length > most) legend.append(h('span', { class: 'muted' }, `and ${run.heading.bodies.length - most} more`));
  const show = () => {
    legend.hidden = state.now.colour !== 'name';
    legend.querySelectorAll('button').forEach((button, b) => button.setAttribute('aria-pressed', String(b === state.now.body)));
  };
  state.listen(show);
  show();
  return legend;
}

function tabs(parts: [string, HTMLElement][], shown: () => void): HTMLElement {
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Results' }), panel = h('div', { class: 'panels' });
  const buttons = parts.map(([name, part], k) => {
    part.id = `panel-${k}`;
    part.setAttribute('role', 'tabpanel');
    part.setAttribute('aria-labelledby', `tab-${k}`);
    part.tabIndex = 0;
    panel.append(part);
    return h('button', { type: 'button', role: 'tab', id: `tab-${k}`, 'aria-controls': `panel-${k}`, click: () => choose(k) }, name);
  });
  const choose = (k: number, focus = false) => {
    buttons.forEach((button, i) => {
      button.setAttribute('aria-selected', String(i === k));
      button.tabIndex = i === k ? 0 : -1;
      parts[i]![1].hidden = i !== k;
    });
    if (focus) buttons[k]!.focus();
    shown();
  };
  list.append(...buttons);
  list.addEventListener('keydown', (e) => {
    const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    e.stopPropagation();
    const now = buttons.findIndex((b) => b.getAttribute('aria-selected') === 'true');
    choose((now + by + buttons.length) % buttons.length, true);
  });
  choose(0);
  return h('aside', { class: 'side', 'aria-label': 'Plots and tables' }, list, panel);
}

function helpDialog(): HTMLDialogElement {
  const dialog = h('dialog', { 'aria-label': 'Keys' });
  dialog.append(
    h('h2', {}, 'Keys'), h('dl', {}, ...KEYS.flatMap(([key, what]) => [h('dt', {}, key), h('dd', {}, what)])),
    h('p', { class: 'muted' }, 'Drag to turn, right-drag or two fingers to move, wheel or pinch to zoom. Click a body for its plots, a mark or tick for its contact, a plot to go there; drag across a plot to zoom, double-click to see all of it.'),
    h('form', { method: 'dialog' }, h('button', {}, 'Close')));
  return dialog;
}

function listenToKeys(state: State, timeline: Timeline, scene: Scene | null, run: Run, help: HTMLDialogElement): void {
  const n = run.heading.bodies.length;
  const acts: Record<string, () => void> = {
    ' ': () => timeline.toggle(), '[': () => timeline.hop(-1), ']': () => timeline.hop(1),
    Home: () => state.set({ t: run.start, playing: false }), End: () => state.set({ t: run.end, playing: false }),
    ',': () => timeline.faster(-1), '.': () => timeline.faster(1),
    f: () => { state.set({ follow: -1 }); scene?.fit(); }, b: () => state.set({ follow: state.now.follow === state.now.body ? -1 : state.now.body }),
    n: () => n > 0 && state.set({ body: (state.now.body + 1) % n }), s: () => state.set({ colour: state.now.colour === 'speed' ? 'name' : 'speed' }),
    p: () => run.skinRange && state.set({ colour: state.now.colour === 'pressure' ? 'name' : 'pressure' }), l: () => state.set({ slices: !state.now.slices }),
    t: () => state.set({ trails: !state.now.trails }), c: () => state.set({ marks: !state.now.marks }), w: () => state.set({ walls: !state.now.walls }),
    g: () => state.set({ ghost: !state.now.ghost }), d: () => state.set({ dark: !state.now.dark }), '?': () => help.showModal(),
    Escape: () => state.set({ contact: -1 }),
  };
  document.addEventListener('keydown', (e) => {
    const target = e.target as HTMLElement, tag = target.tagName;
    if (e.ctrlKey || e.metaKey || e.altKey || help.open || tag === 'SELECT') return;
    const arrow = e.key === 'ArrowLeft' ? -1 : e.key === 'ArrowRight' ? 1 : 0;
    if (arrow !== 0) {
      timeline.step(arrow * (e.shiftKey ? 20 : 1));
      e.preventDefault();
      return;
    }
    if (e.key === ' ' && ['BUTTON', 'SUMMARY', 'INPUT'].includes(tag) && target.id !== 'scrub') return;
    const act = acts[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!act) return;
    act();
    e.preventDefault();
  });
}

/** #t=0.5&body=ball: where to begin. */
function fromAddress(run: Run): { t: number; body: number } {
  const words = new URLSearchParams(location.hash.slice(1)), t = Number(words.get('t') ?? run.start);
  const body = run.heading.bodies.findIndex((b) => b.name === words.get('body'));
  const moving = run.heading.bodies.findIndex((b) => b.motion !== 'fixed');
  return { t: Math.min(Math.max(Number.isFinite(t) ? t : run.start, run.start), run.end), body: Math.max(body, body < 0 ? moving : 0, 0) };
}

function notes(run: Run, ghost: Run | null): HTMLElement[] {
  const all = [...run.heading.notes, ...(ghost?.heading.notes ?? []).map((n) => `ghost: ${n}`)];
  if (all.length === 0) return [];
  return [h('details', { class: 'notes', open: all.length <= 4 }, h('summary', {}, all.length === 1 ? 'One note' : `${all.length} notes`), h('ul', {}, ...all.map((n) => h('li', {}, n))))];
}

function pageHeader(run: Run, ghost: Run | null, state: State, help: HTMLDialogElement): HTMLElement {
  const title = run.heading.title || run.heading.directory, state1 = standing(run);
  document.title = `${title} – Carom report`;
  const n = run.heading.bodies.length, c = run.heading.contacts.written;
  const counts = [`${n} ${n === 1 ? 'body' : 'bodies'}`, `${c} ${c === 1 ? 'contact' : 'contacts'}`, `t = ${number(run.start)} to ${number(run.end)}`];
  const end = run.heading.end;
  if (end !== null && run.end < end - 1e-9 * Math.abs(end)) counts.push(`of ${number(end)}`);
  return h('header', { class: 'top' },
    h('div', { class: 'titles' }, h('h1', {}, title), h('p', {}, h('span', { class: `chip ${state1.kind}`, id: 'standing' }, state1.text), h('span', {}, counts.join(' · ')),
      ...(ghost ? [h('span', { class: 'chip ghost' }, `ghost: ${ghost.heading.title || ghost.heading.directory}`)] : []))),
    h('div', { class: 'tools' },
      h('button', { type: 'button', class: 'icon', id: 'theme', 'aria-label': 'Light or dark', title: 'Light or dark (D)', click: () => state.set({ dark: !state.now.dark }) }, icon('theme')),
      h('button', { type: 'button', class: 'icon', 'aria-label': 'Keys', title: 'Keys (?)', click: () => help.showModal() }, icon('help'))));
}

function makeScene(host: HTMLElement, run: Run, ghost: Run | null, state: State, turn: (camera: Camera) => void): Scene | null {
  try {
    return new Scene(host, run, ghost, state, turn);
  } catch (trouble) {
    host.prepend(h('p', { class: 'blank' }, 'This browser offers no WebGL, so there is no replay; plots and tables work all the same.'));
    console.info('no WebGL:', trouble);
    return null;
  }
}

function start(run: Run, ghost: Run | null, app: HTMLElement): void {
  const begin = fromAddress(run);
  const state = new State({ t: begin.t, playing: false, rate: 0, body: begin.body, contact: -1, follow: -1, colour: 'name', trails: true, marks: true, walls: true, ghost: true, slices: true, dark: wantsDark() });
  setTheme(state.now.dark, false);
  state.listen((now, changed) => {
    if (changed.has('dark')) setTheme(now.dark, true);
  });
  const help = helpDialog(), timeline = new Timeline(run, state), corner = triad(), grid = h('span', { class: 'grid-step muted' });
  const bodies: [string, string][] = run.heading.bodies.map((b, k) => [String(k), b.name]);
  const host = h('div', { class: 'stage' }), plots = new Plots(run, ghost, state), bodyTable = new BodyTable(run, state);
  const controls = h('div', { class: 'controls', role: 'group', 'aria-label': 'What the replay shows' },
    select('colour', 'Colour', [['name', 'by name'], ['speed', 'by speed'], ...(run.skinRange ? [['pressure', 'by pressure'] as [string, string]] : [])], () => state.now.colour, (v) => state.set({ colour: v as ColourMode }), state),
    select('follow', 'Follow', [['-1', 'nothing'], ['-2', 'all bodies'], ...bodies], () => String(state.now.follow), (v) => state.set({ follow: Number(v) }), state),
    toggle(state, 'trails', 'Trails', 'T'), toggle(state, 'marks', 'Contacts', 'C'), toggle(state, 'walls', run.heading.walls.length > 0 ? 'Walls' : 'Grid', 'W'),
    ...(run.slices.length > 0 ? [toggle(state, 'slices', 'Slices', 'L')] : []), ...(ghost ? [toggle(state, 'ghost', 'Ghost', 'G')] : []));
  const plotPanel = h('div', {}, h('div', { class: 'bar' }, select('body', 'Body', bodies, () => String(state.now.body), (v) => state.set({ body: Number(v) }), state)), plots.element);
  const factPanel = h('div', {}, ...notes(run, ghost), facts(run, ghost ? 'This run' : 'The run'), ...(ghost ? [facts(ghost, 'The ghost')] : []));
  const side = tabs([['Plots', plotPanel], [`Contacts${run.contacts.length > 0 ? ` ${run.heading.contacts.written}` : ''}`, new ContactTable(run, state).element], ['Bodies', bodyTable.element], ['Run', factPanel]], () => bodyTable.show(true));
  const view = h('section', { class: 'view', 'aria-label': 'Replay' }, host, controls, contactCard(run, state, timeline), h('div', { class: 'corner' }, corner.element, grid));
  app.replaceChildren(pageHeader(run, ghost, state, help), h('main', {}, view, timeline.element, side), help);
  const top = run.heading.notes.length > 0 ? notes(run, ghost) : [];
  app.querySelector('header.top')!.after(...top);
  const scene = makeScene(host, run, ghost, state, corner.turn);
  if (scene) {
    grid.textContent = `grid ${number(scene.gridStep)}`;
    view.append(h('div', { class: 'legends' }, nameLegend(run, state), colourLegend('speed', 'speed 0', number(scene.speedScale, 3), state),
      ...(run.skinRange ? [colourLegend('pressure', `pressure ${number(run.skinRange[0], 4)}`, number(run.skinRange[1], 4), state)] : []),
      ...(run.slices.length > 0 ? [sliceLegend(scene, state)] : [])),
      h('button', { type: 'button', class: 'icon fit', 'aria-label': 'See everything', title: 'See everything (F)', click: () => { state.set({ follow: -1 }); scene.fit(); } }, icon('fit')));
  }
  if (run.n === 0) host.append(h('p', { class: 'blank' }, 'There is no motion to show.'));
  plots.build();
  listenToKeys(state, timeline, scene, run, help);
  document.documentElement.dataset['ready'] = 'yes';
}

async function open(): Promise<void> {
  const app = document.getElementById('app')!;
  setTheme(wantsDark(), false);
  try {
    const run = await openRun(document.getElementById('carom-run'));
    if (!run) throw new Error('This page is the empty template; carom report DIR makes one with a run in it.');
    start(run, await openRun(document.getElementById('carom-ghost')), app);
  } catch (trouble) {
    app.replaceChildren(h('p', { class: 'blank', role: 'alert' }, `The run cannot be shown: ${trouble instanceof Error ? trouble.message : String(trouble)}`));
    document.documentElement.dataset['ready'] = 'failed';
    console.error(trouble);
  }
}

void open();
