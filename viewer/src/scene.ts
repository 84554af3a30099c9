// The replay: bodies, paths, walls and contacts in three dimensions.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Run } from './data';
import { bodyColour, rampColour } from './format';
import { State, Shown } from './state';
import { Slices } from './slices';
import { Fleet } from './fleet';
import { Trails } from './trails';

/** Something drawn that changes with time. */
export interface Layer {
  readonly object: THREE.Object3D;
  update(t: number): void;
}

export interface Frame {
  center: THREE.Vector3; // of all motion, in the coordinates of the run
  radius: number;
  up: THREE.Vector3;
  ground: THREE.Vector3; // lowest point
}

const ACCENT = 0xe08a1e;
const RINGS = 24; // around the newest contacts
const MANY = 200; // contacts, beyond which marks are smaller and fainter

/** Box around all motion, and which way is up. */
function measure(run: Run): Frame {
  const box = new THREE.Box3(), p = new THREE.Vector3(), around = new THREE.Vector3();
  const step = Math.max(1, Math.floor(run.n / 200));
  run.heading.bodies.forEach((_, b) => {
    const size = bodyRadius(run, b);
    for (let f = 0; f < run.n; f += step) {
      p.set(run.value('x', b, f), run.value('y', b, f), run.value('z', b, f));
      if (!Number.isFinite(p.x + p.y + p.z)) continue;
      box.expandByPoint(around.copy(p).addScalar(size));
      box.expandByPoint(around.copy(p).addScalar(-size));
    }
  });
  if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  const g = new THREE.Vector3(...run.heading.gravity);
  const up = g.lengthSq() > 0 ? g.clone().normalize().negate() : new THREE.Vector3(0, 0, 1);
  const center = box.getCenter(new THREE.Vector3()), half = box.getSize(new THREE.Vector3()).multiplyScalar(0.5);
  const down = Math.abs(half.x * up.x) + Math.abs(half.y * up.y) + Math.abs(half.z * up.z);
  return { center, radius: Math.max(half.length(), 1e-12), up, ground: center.clone().addScaledVector(up, -down) };
}

const radii = new WeakMap<Run, number[]>();

/** From the mass centre to the farthest point of the body. */
export function bodyRadius(run: Run, b: number): number {
  let known = radii.get(run);
  if (!known) radii.set(run, (known = run.heading.bodies.map((_, k) => findRadius(run, k))));
  return known[b] ?? 0;
}

function findRadius(run: Run, b: number): number {
  const info = run.heading.bodies[b]!, surface = run.surface(info.shape);
  if (!surface) return 0;
  let most = 0;
  for (let i = 0; i < surface.vertex.length; i += 3)
    most = Math.max(most, Math.hypot(surface.vertex[i]! - info.center[0], surface.vertex[i + 1]! - info.center[1], surface.vertex[i + 2]! - info.center[2]));
  return most;
}

/** Two directions across up. */
function levelAxes(up: THREE.Vector3): { e1: THREE.Vector3; e2: THREE.Vector3 } {
  const side = Math.abs(up.y) > 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, 1, 0);
  const e1 = new THREE.Vector3().crossVectors(side, up).normalize();
  return { e1, e2: new THREE.Vector3().crossVectors(up, e1) };
}

/** 1, 2 or 5 times a power of ten, near x. */
function niceStep(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x)), lead = x / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

/** A round dot, or a ring. */
function dotTexture(ring: boolean): THREE.Texture {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d')!;
  pen.beginPath();
  pen.arc(32, 32, ring ? 25 : 27, 0, 2 * Math.PI);
  pen.lineWidth = ring ? 8 : 6;
  pen.fillStyle = pen.strokeStyle = '#fff';
  if (ring) pen.stroke();
  else pen.fill();
  return new THREE.CanvasTexture(canvas);
}

function dots(run: Run, center: THREE.Vector3, size: number, ring: boolean): THREE.Points {
  const at = new Float32Array(3 * run.contacts.length);
  run.contacts.forEach((c, k) => at.set([c.point[0] - center.x, c.point[1] - center.y, c.point[2] - center.z], 3 * k));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(at, 3));
  const material = new THREE.PointsMaterial({
    size: size * Math.min(window.devicePixelRatio, 2), sizeAttenuation: false, map: dotTexture(ring), transparent: true,
    depthTest: false, color: ACCENT, opacity: ring ? 1 : run.contacts.length > MANY ? 0.45 : 0.85,
  });
  const points = new THREE.Points(geometry, material);
  points.frustumCulled = false;
  points.renderOrder = 5;
  return points;
}

export class Scene {
  readonly frame: Frame;
  gridStep = 1;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
  private readonly controls: OrbitControls;
  private readonly fleet: Fleet;
  private readonly ghostFleet: Fleet | null;
  private readonly trails: Trails;
  readonly slices: Slices;
  private readonly walls = new THREE.Group();
  private readonly past: THREE.Points;
  private readonly recent: THREE.Points;
  private readonly looked = new THREE.Group();
  private readonly speedMost: number;
  private readonly followed = new THREE.Vector3();
  private stale = true;

  constructor(private readonly host: HTMLElement, private readonly run: Run, ghost: Run | null, private readonly state: State,
    private readonly onTurn: (camera: THREE.Camera) => void) {
    this.frame = measure(run);
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: false });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.localClippingEnabled = true;
    const canvas = this.renderer.domElement;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'Replay of the bodies in three dimensions');
    host.prepend(canvas);

    this.camera.up.copy(this.frame.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.touch());
    this.fleet = new Fleet(run, this.frame, false);
    this.ghostFleet = ghost ? new Fleet(ghost, this.frame, true) : null;
    this.trails = new Trails(run, this.frame);
    this.slices = new Slices(run, this.frame, () => this.touch());
    this.past = dots(run, this.frame.center, run.contacts.length > MANY ? 5 : 8, false);
    this.recent = dots(run, this.frame.center, 20, true);
    this.speedMost = this.mostSpeed();
    this.build();
    this.resize();
    this.fit();
    canvas.addEventListener('pointerdown', (e) => this.pick(e));
    new ResizeObserver(() => this.resize()).observe(host);
    state.listen((_, changed) => this.changed(changed));
    this.dress();
    this.move();
    const draw = () => {
      requestAnimationFrame(draw);
      if (this.stale) this.render();
    };
    requestAnimationFrame(draw);
  }

  private build(): void {
    // The sun stands in space, so that the faces of a box differ; a lamp goes with the camera.
    const { up } = this.frame, sun = new THREE.DirectionalLight(0xffffff, 2.0), lamp = new THREE.DirectionalLight(0xffffff, 0.9);
    const { e1, e2 } = levelAxes(up), sky = new THREE.HemisphereLight(0xffffff, 0x76808e, 1.0);
    sun.position.copy(up).addScaledVector(e1, 0.75).addScaledVector(e2, -0.35);
    lamp.position.set(-0.4, 0.2, 1);
    sky.position.copy(up);
    this.camera.add(lamp);
    this.scene.add(this.camera, sun, sky);
    this.scene.add(this.fleet.object, this.trails.object, this.walls, this.slices.object, this.past, this.recent, this.looked);
    if (this.ghostFleet) this.scene.add(this.ghostFleet.object);
  }

  /** Everything whose colour depends on light or dark. */
  private dress(): void {
    const dark = this.state.now.dark;
    this.walls.clear();
    const step = niceStep(this.frame.radius / 8), size = Math.ceil((2.6 * this.frame.radius) / step) * step;
    this.gridStep = step;
    const planes = this.run.heading.walls.map((w) => ({ point: new THREE.Vector3(...w.point), normal: new THREE.Vector3(...w.normal).normalize(), solid: true }));
    if (planes.length === 0) planes.push({ point: this.frame.ground.clone(), normal: this.frame.up.clone(), solid: false });
    const at = planes.map(({ point }) => point.sub(this.frame.center));
    planes.forEach(({ normal, solid }, k) => {
      const wall = this.plane(at[k]!, normal, size, step, solid, dark);
      // What of a wall lies within another is not drawn.
      const others = planes.filter((_, i) => i !== k).map((other, i) => new THREE.Plane(other.normal, 1e-4 * size - other.normal.dot(at[i < k ? i : i + 1]!)));
      if (solid) wall.traverse((part) => { if ('material' in part) (part.material as THREE.Material).clippingPlanes = others; });
      this.walls.add(wall);
    });
    this.trails.dress(dark);
    this.colour();
    this.touch();
  }

  private plane(point: THREE.Vector3, normal: THREE.Vector3, size: number, step: number, solid: boolean, dark: boolean): THREE.Group {
    const group = new THREE.Group();
    const grid = new THREE.GridHelper(size, Math.round(size / step), dark ? 0x55616f : 0x9aa6b4, dark ? 0x2c3641 : 0xd0d7df);
    const lines = grid.material as THREE.Material;
    lines.transparent = true;
    lines.opacity = solid ? 0.9 : 0.55;
    lines.depthWrite = false;
    group.add(grid);
    if (solid) {
      const slab = new THREE.Mesh(new THREE.PlaneGeometry(size, size), new THREE.MeshBasicMaterial({
        color: dark ? 0x1d2732 : 0xe7ecf2, transparent: true, opacity: 0.72, side: THREE.DoubleSide, depthWrite: false,
        polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 }));
      slab.rotation.x = -Math.PI / 2;
      slab.renderOrder = -1;
      group.add(slab);
    }
    if (solid) group.userData['normal'] = normal;
    group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), normal);
    // Below the middle of the motion, on a crossing of the grid.
    group.position.copy(normal).multiplyScalar(point.dot(normal));
    return group;
  }

  private mostSpeed(): number {
    let most = 0;
    const step = Math.max(1, Math.floor(this.run.n / 500));
    this.run.heading.bodies.forEach((_, b) => {
      for (let f = 0; f < this.run.n; f += step) {
        const v = Math.hypot(this.run.value('vx', b, f), this.run.value('vy', b, f), this.run.value('vz', b, f));
        if (v > most) most = v;
      }
    });
    return most > 0 ? most : 1;
  }

  private speed(b: number, t: number): number {
    return Math.hypot(this.run.sample('vx', b, t), this.run.sample('vy', b, t), this.run.sample('vz', b, t));
  }

  get speedScale(): number {
    return this.speedMost;
  }

  private colour(): void {
    const c = new THREE.Color(), pressure = this.state.now.colour === 'pressure';
    this.fleet.showPressure(pressure ? this.state.now.t : null);
    this.run.heading.bodies.forEach((_, b) => {
      if (this.state.now.colour === 'speed') {
        const [r, g, bl] = rampColour(this.speed(b, this.state.now.t) / this.speedMost);
        c.setRGB(r, g, bl, THREE.SRGBColorSpace);
      } else if (pressure) c.set(this.run.heading.bodies[b]!.skin >= 0 ? 0xffffff : 0x9aa3ad);
      else c.set(bodyColour(b));
      this.fleet.setColour(b, c);
    });
  }

  /** Put everything where it is at the time shown. */
  private move(): void {
    const { t, follow } = this.state.now;
    this.fleet.update(t);
    this.ghostFleet?.update(t);
    this.trails.update(t);
    const until = this.run.contactsUntil(t), span = this.run.end - this.run.start;
    const since = Math.max(this.run.contactsUntil(t - 0.04 * span), until - RINGS);
    this.past.geometry.setDrawRange(0, until);
    this.recent.geometry.setDrawRange(since, until - since);
    if (this.state.now.colour !== 'name') this.colour();
    this.slices.update(t);
    if (follow !== -1) this.go(this.target());
    this.touch();
  }

  /** What the camera goes with. */
  private target(): THREE.Vector3 {
    const { follow } = this.state.now, n = this.run.heading.bodies.length;
    if (follow >= 0) return this.fleet.position(follow, new THREE.Vector3());
    const sum = new THREE.Vector3(), p = new THREE.Vector3();
    for (let b = 0; b < n; b++) sum.add(this.fleet.position(b, p));
    return sum.divideScalar(Math.max(n, 1));
  }

  private go(to: THREE.Vector3): void {
    if (!Number.isFinite(to.x + to.y + to.z)) return;
    const by = to.clone().sub(this.followed);
    this.followed.copy(to);
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  private changed(changed: ReadonlySet<keyof Shown>): void {
    const now = this.state.now;
    if (changed.has('follow') && now.follow !== -1) {
      const to = this.target(), away = this.camera.position.clone().sub(this.controls.target);
      if (now.follow >= 0) away.setLength(Math.max(9 * bodyRadius(this.run, now.follow), 0.12 * this.frame.radius));
      this.followed.copy(to);
      this.controls.target.copy(to);
      this.camera.position.copy(to).add(away);
      this.controls.update();
    }
    if (changed.has('dark')) this.dress();
    if (changed.has('colour')) this.colour();
    if (changed.has('t')) this.move();
    this.trails.object.visible = now.trails;
    this.walls.visible = now.walls;
    this.slices.object.visible = now.slices;
    this.past.visible = this.recent.visible = now.marks;
    if (this.ghostFleet) this.ghostFleet.object.visible = now.ghost;
    if (changed.has('contact')) this.showContact();
    this.touch();
  }

  /** Arrows at the contact that is looked at: normal, and impulse on body a. */
  private showContact(): void {
    this.looked.clear();
    const c = this.run.contacts[this.state.now.contact];
    if (!c) return;
    const at = new THREE.Vector3(...c.point).sub(this.frame.center);
    const a = this.run.heading.bodies.findIndex((b) => b.name === c.a);
    const length = Math.min(Math.max(2.6 * bodyRadius(this.run, Math.max(a, 0)), 0.06 * this.frame.radius), 0.6 * this.frame.radius);
    const arrow = (v: readonly number[], colour: number, size: number) => {
      const direction = new THREE.Vector3(v[0], v[1], v[2]);
      if (!(direction.length() > 0)) return;
      const helper = new THREE.ArrowHelper(direction.normalize(), at, size, colour, 0.22 * size, 0.1 * size);
      for (const part of [helper.line, helper.cone]) {
        (part.material as THREE.Material).depthTest = false;
        (part.material as THREE.Material).transparent = true; // so that it is drawn after walls
        part.renderOrder = 6;
      }
      this.looked.add(helper);
    };
    arrow(c.impulse, ACCENT, 1.25 * length);
    arrow(c.normal, 0x2f9e77, length);
  }

  /** See all of the motion, from the side and a little above. */
  fit(): void {
    const { up } = this.frame, { e1, e2 } = levelAxes(up);
    const from = new THREE.Vector3().addScaledVector(e1, 0.55).addScaledVector(e2, -1).addScaledVector(up, 0.42).normalize();
    const { target, distance } = this.seeAll(from);
    this.controls.target.copy(target);
    this.followed.copy(target);
    this.camera.position.copy(target).addScaledVector(from, distance);
    this.camera.near = 1e-3 * this.frame.radius;
    this.camera.far = 60 * this.frame.radius;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = 0.01 * this.frame.radius;
    this.controls.maxDistance = 20 * this.frame.radius;
    this.controls.update();
    this.touch();
  }

  /** What to look at, and from how far, to have all motion in the picture, with some flow around it. */
  private seeAll(from: THREE.Vector3): { target: THREE.Vector3; distance: number } {
    const { run } = this, right = new THREE.Vector3().crossVectors(this.frame.up, from).normalize(), over = new THREE.Vector3().crossVectors(from, right);
    const points: [number, number, number, number][] = [], p = new THREE.Vector3(), step = Math.max(1, Math.floor(run.n / 100));
    run.heading.bodies.forEach((_, b) => {
      const size = bodyRadius(run, b);
      for (let f = 0; f < run.n; f += step) {
        p.set(run.value('x', b, f), run.value('y', b, f), run.value('z', b, f)).sub(this.frame.center);
        if (Number.isFinite(p.x + p.y + p.z)) points.push([p.dot(right), p.dot(over), p.dot(from), size]);
      }
    });
    const middle = (k: 0 | 1) => points.length === 0 ? 0 : (points.reduce((m, q) => Math.min(m, q[k] - q[3]), Infinity) + points.reduce((m, q) => Math.max(m, q[k] + q[3]), -Infinity)) / 2;
    const u = middle(0), v = middle(1), tall = Math.tan((this.camera.fov * Math.PI) / 360) / 1.25, wide = tall * this.camera.aspect;
    const distance = points.reduce((m, [x, y, z, size]) => Math.max(m, z + size + (Math.abs(x - u) + size) / wide, z + size + (Math.abs(y - v) + size) / tall), 1e-3 * this.frame.radius);
    return { target: new THREE.Vector3().addScaledVector(right, u).addScaledVector(over, v), distance: points.length === 0 ? 3 * this.frame.radius : (run.slices.length > 0 ? 1.7 : 1) * distance };
  }

  private pick(e: PointerEvent): void {
    const x = e.clientX, y = e.clientY, canvas = this.renderer.domElement;
    canvas.addEventListener('pointerup', (end) => {
      if (Math.hypot(end.clientX - x, end.clientY - y) > 4) return;
      const box = canvas.getBoundingClientRect();
      const at = new THREE.Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
      const contact = this.contactNear(at, box);
      if (contact >= 0) this.state.set({ contact, t: this.run.contacts[contact]!.time, playing: false });
      else {
        const ray = new THREE.Raycaster();
        ray.setFromCamera(at, this.camera);
        const body = this.fleet.hit(ray);
        if (body >= 0) this.state.set({ body });
      }
    }, { once: true });
  }

  /** The contact whose mark is within a finger's width of the point; -1: none. */
  private contactNear(at: THREE.Vector2, box: DOMRect): number {
    if (!this.state.now.marks) return -1;
    let found = -1, least = 12;
    const p = new THREE.Vector3(), until = this.run.contactsUntil(this.state.now.t);
    for (let k = 0; k < until; k++) {
      p.set(...this.run.contacts[k]!.point).sub(this.frame.center).project(this.camera);
      const far = Math.hypot(((p.x - at.x) * box.width) / 2, ((p.y - at.y) * box.height) / 2);
      if (p.z < 1 && far <= least) [found, least] = [k, far];
    }
    return found;
  }

  private resize(): void {
    const { clientWidth: w, clientHeight: height } = this.host;
    if (w === 0 || height === 0) return;
    this.renderer.setSize(w, height);
    this.camera.aspect = w / height;
    this.camera.updateProjectionMatrix();
    this.touch();
  }

  /** A wall that is seen from behind would hide what happens before it. */
  private hideWallsInFront(): void {
    for (const wall of this.walls.children) {
      const normal = wall.userData['normal'] as THREE.Vector3 | undefined;
      if (normal) wall.visible = normal.dot(this.camera.position) > normal.dot(wall.position);
    }
  }

  private touch(): void {
    this.stale = true;
  }

  private render(): void {
    this.stale = false;
    this.hideWallsInFront();
    this.renderer.render(this.scene, this.camera);
    this.onTurn(this.camera);
    this.host.dataset.drawn = String(Number(this.host.dataset.drawn ?? 0) + 1);
  }
}
