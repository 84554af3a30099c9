// The paths of all bodies up to now, in one piece of geometry that is ordered by time.

import * as THREE from 'three';
import { Run } from './data';
import { bodyColour } from './format';
import type { Frame, Layer } from './scene';

const SEGMENTS = 400000;

export class Trails implements Layer {
  readonly object = new THREE.Group();
  private readonly lines: THREE.LineSegments;
  private readonly kept: number[] = []; // frames that are drawn
  private readonly bodies: number[] = []; // that move at all

  constructor(private readonly run: Run, frame: Frame) {
    run.heading.bodies.forEach((_, b) => {
      const moves = ['x', 'y', 'z'].some((k) => Math.abs(run.value(k, b, run.n - 1) - run.value(k, b, 0)) > 0 || Math.abs(run.value(k, b, run.n >> 1) - run.value(k, b, 0)) > 0);
      if (moves) this.bodies.push(b);
    });
    const step = Math.max(1, Math.ceil((run.n * this.bodies.length) / SEGMENTS));
    for (let f = 0; f < run.n; f += step) this.kept.push(f);
    const segments = Math.max(0, this.kept.length - 1) * this.bodies.length;
    const at = new Float32Array(6 * segments), colour = new Uint8Array(6 * segments);
    const colours = run.heading.bodies.map((_, b) => new THREE.Color(bodyColour(b)));
    let i = 0;
    for (let k = 0; k + 1 < this.kept.length; k++)
      for (const b of this.bodies) {
        const c = colours[b]!;
        for (const f of [this.kept[k]!, this.kept[k + 1]!]) {
          at.set([run.value('x', b, f) - frame.center.x, run.value('y', b, f) - frame.center.y, run.value('z', b, f) - frame.center.z], i);
          colour.set([255 * c.r, 255 * c.g, 255 * c.b], i);
          i += 3;
        }
      }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(at, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(colour, 3, true));
    this.lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.75 }));
    this.lines.frustumCulled = false;
    this.object.add(this.lines);
  }

  dress(dark: boolean): void {
    const faint = this.bodies.length > 40 ? 0.5 : 1;
    (this.lines.material as THREE.LineBasicMaterial).opacity = faint * (dark ? 0.85 : 0.7);
  }

  update(t: number): void {
    const f = this.run.frameAt(t);
    let low = 0, high = this.kept.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.kept[middle]! <= f) low = middle;
      else high = middle;
    }
    this.lines.geometry.setDrawRange(0, 2 * low * this.bodies.length);
  }
}
