// What the page of carom report does in a browser. Run by viewer.sh in its working folder.
// SPDX-License-Identifier: GPL-3.0-or-later
import { readFileSync, existsSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const folder = `${process.cwd()}/results`;
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--force-color-profile=srgb'],
});
let failed = 0, passed = 0;

function check(ok, what) {
  if (ok) passed++;
  else {
    failed++;
    console.log(`FAILED: ${what}`);
  }
}

function near(got, wanted, tolerance, what) {
  check(Math.abs(got - wanted) <= tolerance, `${what}: got ${got}, wanted ${wanted}`);
}

/** A number as the page writes it. */
function parse(text) {
  return Number(text.replace(/−/g, '-'));
}

function csv(path) {
  const [head, ...rows] = readFileSync(`${folder}/${path}`, 'utf8').trim().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((key, k) => [key, row[k]])));
}

/** Open a report from disk; whatever it complains of or asks the network for is a failure. */
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light', acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.on('pageerror', (e) => check(false, `${path}: ${e.message}`));
  page.on('console', (m) => check(!['error', 'warning'].includes(m.type()) || /GPU stall|software WebGL|swiftshader/i.test(m.text()), `${path}: console says ${m.text()}`));
  page.on('request', (r) => check(/^(file|data|blob):/.test(r.url()), `${path}: asks for ${r.url()}`));
  await page.goto(`file://${folder}/${path}`);
  await page.waitForSelector('html[data-ready]', { timeout: 60000 });
  await page.waitForSelector('.stage[data-drawn]', { timeout: 60000 });
  return page;
}

/** Values of a plot at the time shown: {label: number}. */
async function legend(page, title) {
  const plot = page.locator('figure.plot', { has: page.locator('h3', { hasText: title }) }).first();
  const rows = await plot.locator('.u-legend .u-series').evaluateAll((list) => list.map((r) => [r.querySelector('.u-label').textContent, r.querySelector('.u-value').textContent]));
  return Object.fromEntries(rows.map(([k, v]) => [k.replace(':', ''), parse(v)]));
}

async function clock(page) {
  return parse(await page.locator('#clock b').textContent());
}

async function scrub(page, s) {
  await page.locator('#scrub').evaluate((range, value) => {
    range.value = String(value * 1e6);
    range.dispatchEvent(new Event('input'));
  }, s);
}

async function accessible(page, what) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations.map((v) => ({ id: v.id, impact: v.impact, at: v.nodes.slice(0, 3).map((n) => n.html.slice(0, 140)) })));
  const serious = found.filter((v) => v.impact === 'serious' || v.impact === 'critical');
  check(serious.length === 0, `${what}: not accessible: ${JSON.stringify(serious)}`);
}

/** Compare a picture of the replay with the one that is kept, pixel by pixel with tolerance. */
async function looksLike(page, name, tolerance = 0.01) {
  await page.addStyleTag({ content: '.controls, .legends, .corner, .fit, .contact-card { visibility: hidden !important; }' });
  await page.waitForTimeout(300);
  const taken = await page.locator('.view').screenshot();
  const path = `${process.env.PICTURES}/${name}.png`, kept = existsSync(path) ? readFileSync(path).toString('base64') : null;
  const { small, difference } = await page.evaluate(async ([a, b]) => {
    const [width, height] = [320, 256];
    const shrink = async (data) => {
      const image = new Image(), canvas = document.createElement('canvas');
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      [canvas.width, canvas.height] = [width, height];
      const pen = canvas.getContext('2d');
      pen.imageSmoothingQuality = 'high';
      pen.drawImage(image, 0, 0, width, height);
      return canvas;
    };
    const pixels = (canvas) => canvas.getContext('2d').getImageData(0, 0, width, height).data;
    const now = await shrink(a), small = now.toDataURL('image/png').split(',')[1];
    if (b === null) return { small, difference: 1 };
    const p = pixels(now), q = pixels(await shrink(b));
    let far = 0;
    for (let i = 0; i < p.length; i += 4) far += Math.max(Math.abs(p[i] - q[i]), Math.abs(p[i + 1] - q[i + 1]), Math.abs(p[i + 2] - q[i + 2])) > 40;
    return { small, difference: far / (width * height) };
  }, [taken.toString('base64'), kept]);
  writeFileSync(`${name}.png`, Buffer.from(small, 'base64'));
  check(difference < tolerance, `${name}: ${(100 * difference).toFixed(2)} % of the picture differs; the new one is ${process.cwd()}/${name}.png`);
}

async function showsTheRun() {
  const page = await open('drop.out/report.html'), rows = csv('drop.out/bodies.csv'), contacts = csv('drop.out/contacts.csv');
  check((await page.title()).startsWith('a ball dropped on a floor'), 'title of the page');
  check((await page.locator('#standing').textContent()) === 'done', 'how the run ended');
  check((await page.locator('header.top').textContent()).includes(`${contacts.length} contacts`), 'number of contacts');

  // Scrub: the clock and the values of plots are those of the history.
  await scrub(page, 0.6);
  near(await clock(page), 0.6, 1e-9, 'clock');
  const row = rows.find((r) => r.body === 'ball' && Math.abs(Number(r.time) - 0.6) < 1e-9);
  near((await legend(page, 'Position of ball')).z, Number(row.z), 1e-4 * Math.abs(row.z), 'plotted height');
  near((await legend(page, 'Velocity of ball')).vz, Number(row.vz), 1e-4 * Math.abs(row.vz), 'plotted velocity');
  near((await legend(page, 'Spin of ball'))['ωz'], 3, 1e-4, 'plotted spin');
  await scrub(page, 0);
  const attitude = await legend(page, 'Attitude of ball');
  near(attitude.roll, 10, 1e-3, 'roll');
  near(attitude.pitch, 20, 1e-3, 'pitch');
  near(attitude.yaw, 30, 1e-3, 'yaw');
  // Of a solid ball of 2 kg at 0.5 under 10: potential 10, rotation 1/2 2/5 m r^2 w^2.
  const energy = await legend(page, 'Energy of all');
  near(energy.potential, 10, 1e-3, 'potential energy');
  near(energy['of rotation'], 0.036, 1e-5, 'energy of rotation');
  await page.locator('#scrub').press('End');
  near((await legend(page, 'Energy of all'))['lost in contacts'], contacts.reduce((sum, c) => sum + Number(c.energy_before) - Number(c.energy_after), 0), 1e-3, 'energy lost');
  await page.context().close();
}

async function contactsCanBeVisited() {
  const page = await open('drop.out/report.html'), contacts = csv('drop.out/contacts.csv'), first = contacts[0], second = contacts[1];
  await page.click('#tab-1');
  await page.locator('table.contacts tbody tr').nth(1).click();
  near(await clock(page), Number(second.time), 1e-4, 'time of the contact');
  const text = await page.locator('#contact-card').textContent();
  check(text.includes('ball – floor') && text.includes(second.law), `card: ${text}`);
  const impulse = parse(/Impulse([−0-9.e]+)/.exec(text)[1]);
  near(impulse, Number(second.pz), 1e-3 * Number(second.pz), 'impulse');
  check(text.includes('Normal(0, 0, 1)'), `normal: ${text}`);
  near(parse(/→ ([−0-9.e]+)/.exec(text)[1]), Number(second.energy_after), 1e-3 * Number(second.energy_after), 'energy after');
  await page.keyboard.press('[');
  near(await clock(page), Number(first.time), 1e-4, 'contact before');
  await page.keyboard.press('Escape');
  check(await page.locator('#contact-card').isHidden(), 'the card closes');

  // A click on its tick, and on its mark in the replay.
  const box = await page.locator('.ticks').boundingBox();
  await page.mouse.click(box.x + 8 + Number(second.time) * (box.width - 16), box.y + 20);
  near(await clock(page), Number(second.time), 1e-9 + 1e-4, 'tick of the contact');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#panel-1 .save').click()]);
  const saved = readFileSync(await download.path(), 'utf8').trim().split('\n');
  check(saved.length === contacts.length + 1 && Number(saved[2].split(',')[14]) === Number(second.pz), `saved contacts: ${saved[2]}`);
  await looksLike(page, 'contact');
  await page.context().close();
}

async function playsAndListens() {
  const page = await open('bounce.out/report.html');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => Number(document.querySelector('#clock b').textContent) > 0.01, null, { timeout: 20000 });
  await page.keyboard.press('Space');
  const stopped = await clock(page);
  await page.waitForTimeout(300);
  near(await clock(page), stopped, 0, 'paused');
  await page.keyboard.press('Home');
  near(await clock(page), 0, 0, 'start');
  await page.keyboard.press('ArrowRight');
  near(await clock(page), 0.014, 1e-9, 'one frame on');
  const drawn = () => page.locator('.stage').getAttribute('data-drawn');
  for (const key of ['s', 't', 'c', 'w']) {
    const before = await drawn();
    await page.keyboard.press(key);
    await page.waitForFunction((n) => document.querySelector('.stage').dataset.drawn !== n, before, { timeout: 20000 });
  }
  check(!(await page.locator('#show-trails').isChecked()) && (await page.locator('#colour').inputValue()) === 'speed', 'keys switch');
  await page.selectOption('#follow', { label: 'ball' });
  await page.selectOption('#body', { label: 'block' });
  check((await page.locator('figure.plot h3').first().textContent()) === 'Position of block', 'plots of the chosen body');
  await page.keyboard.press('?');
  check(await page.locator('dialog').isVisible(), 'list of keys');
  await page.context().close();
}

async function comparesTwoRuns() {
  const page = await open('ghost.html'), rows = csv('other/bodies.csv').filter((r) => r.body === 'ball');
  await page.fill('#scrub', '400000').catch(() => scrub(page, 0.4));
  await scrub(page, 0.4);
  const wanted = Number(rows.find((r) => Math.abs(Number(r.time) - 0.4) < 1e-9).z);
  near((await legend(page, 'Position of ball'))['z′'], wanted, 1e-4, 'height of the ghost');
  await scrub(page, 0.9);
  check(Number.isNaN((await legend(page, 'Position of ball'))['z′']), 'a ghost that has ended has no value');
  await page.uncheck('#show-ghost');
  check(!('z′' in (await legend(page, 'Position of ball'))), 'the ghost can be put away');
  await page.context().close();
}

async function copesWithMuch() {
  let page = await open('long/report.html');
  check((await page.locator('.notes').first().textContent()).includes('of 100000 frames'), 'thinning is said');
  await scrub(page, 1);
  near((await legend(page, 'Position of ball')).x, 0.99999, 1e-4, 'the last frame is kept');
  check((await page.locator('figure.plot h3', { hasText: 'Air force' }).count()) === 1, 'air loads are plotted');
  near((await legend(page, 'Cells')).field, 1050, 0, 'cells of the flow');
  near((await legend(page, 'Residuals')).density, Math.exp(-10), 1e-8, 'residual');
  near((await legend(page, 'Seconds for each stage')).overset, 0.1, 1e-9, 'seconds of a stage');
  await page.context().close();
  page = await open('hundreds.out/report.html');
  check((await page.locator('#body option').count()) === 500, 'five hundred bodies');
  await scrub(page, 0.5);
  await looksLike(page, 'hundreds');
  await page.context().close();
}

async function showsTheFlow() {
  const page = await open('wet.out/report.html');
  const bars = (id) => page.locator(`${id} .legend`).allInnerTexts();
  check((await bars('#slice-legend')).join().replace(/\s+/g, ' ') === 'mach 0.2 0.4', `bar of the slice: ${await bars('#slice-legend')}`);
  await page.selectOption('#colour', 'pressure');
  const texts = (await page.locator('.legends').innerText()).replace(/\s+/g, ' ');
  check(/pressure 0\.\d+/.test(texts), `bar of the pressure: ${texts}`);
  await page.keyboard.press('End');
  await page.waitForTimeout(1500); // the picture is unpacked
  await looksLike(page, 'wet', 0.05); // the flow may come out a little otherwise
  const blank = async () => Number(await page.locator('.stage').getAttribute('data-drawn'));
  const before = await blank();
  await page.keyboard.press('l');
  check(!(await page.locator('#show-slices').isChecked()) && (await page.locator('#slice-legend').isHidden()), 'slices can be put away');
  await page.waitForFunction((n) => Number(document.querySelector('.stage').dataset.drawn) > n, before, { timeout: 20000 });
  check((await page.locator('figure.plot h3', { hasText: 'Force coefficients of left' }).count()) === 1, 'coefficients are plotted');
  await page.click('#tab-3');
  check((await page.locator('#panel-3').innerText()).includes('A1 height got 1 wanted 1 ok'), 'verification is shown');
  await page.context().close();
}

async function saysWhatIsMissing() {
  const page = await open('torn/report.html');
  const text = await page.locator('#app').innerText();
  check(text.includes('there is no motion to show') && text.includes('no case to read'), `torn: ${text.slice(0, 200)}`);
  check(text.includes('There are no histories to plot'), 'no plots, and said');
  await page.context().close();
}

async function isAccessible() {
  for (const colorScheme of ['light', 'dark']) {
    const page = await open('bounce.out/report.html', { colorScheme });
    check((await page.locator('html').getAttribute('data-theme')) === colorScheme, `${colorScheme} is kept`);
    await page.keyboard.press(']');
    for (const tab of [0, 1, 2, 3]) {
      await page.click(`#tab-${tab}`);
      await accessible(page, `${colorScheme}, tab ${tab}`);
    }
    await page.context().close();
  }
  const page = await open('bounce.out/report.html', { viewport: { width: 375, height: 740 }, deviceScaleFactor: 2, hasTouch: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  check(wide <= 0, `on a phone the page is ${wide} pixels too wide`);
  await accessible(page, 'phone');
  await page.context().close();
}

for (const test of [showsTheRun, contactsCanBeVisited, playsAndListens, comparesTwoRuns, showsTheFlow, copesWithMuch, saysWhatIsMissing, isAccessible]) {
  const start = Date.now();
  try {
    await test();
  } catch (trouble) {
    check(false, `${test.name}: ${trouble.message}`);
  }
  console.log(`${test.name}: ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
await browser.close();
console.log(`${passed} checks passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
