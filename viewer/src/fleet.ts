// The bodies of a run: one instanced mesh for each shape.

import * as THREE from 'three';
import { Run, Surface } from './data';
import { rampColour } from './format';
import type { Frame, Layer } from './scene';

/** Unfold an octahedral normal. */
function unfoldNormal(u: number, v: number, out: number[]): void {
  let x = u / 32767, y = v / 32767;
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
  const n = Math.hypot(x, y, z);
  out[0] = x / n;
  out[1] = y / n;
  out[2] = z / n;
}

function geometryOf(surface: Surface): THREE.BufferGeometry {
  const n = surface.corner.length, position = new Float32Array(3 * n), normal = new Float32Array(3 * n), unit = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const v = 3 * surface.corner[i]!;
    position.set(surface.vertex.subarray(v, v + 3), 3 * i);
    unfoldNormal(surface.normal[2 * i]!, surface.normal[2 * i + 1]!, unit);
    normal.set(unit, 3 * i);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(normal, 3));
  return geometry;
}

/** Octants in two shades, so that one sees a round body turn. */
function quarter(material: THREE.Material, center: readonly number[]): void {
  const shown = { value: 1 };
  material.userData['octants'] = shown;
  material.onBeforeCompile = (shader) => {
    shader.uniforms['octantShown'] = shown;
    shader.uniforms['octantCenter'] = { value: new THREE.Vector3(center[0], center[1], center[2]) };
    shader.vertexShader = 'varying vec3 vLocal;\n' + shader.vertexShader.replace('#include <begin_vertex>', '#include <begin_vertex>\nvLocal = position;');
    shader.fragmentShader = 'varying vec3 vLocal;\nuniform vec3 octantCenter;\nuniform float octantShown;\n' + shader.fragmentShader.replace(
      '#include <color_fragment>',
      '#include <color_fragment>\nvec3 oct = vLocal - octantCenter;\nvec3 edge = fwidth(oct);\n' +
      'vec3 side = clamp(oct / max(edge, vec3(1e-20)), -1.0, 1.0);\n' +
      'diffuseColor.rgb *= mix(1.0 - 0.38 * octantShown, 1.0, 0.5 + 0.5 * side.x * side.y * side.z);');
  };
}

/** Show them or not. */
function octants(material: THREE.Material, shown: boolean): void {
  const uniform = material.userData['octants'] as { value: number } | undefined;
  if (uniform) uniform.value = shown ? 1 : 0;
}

const ROUND = ['sphere', 'capsule', 'cylinder', 'cone'];

export class Fleet implements Layer {
  readonly object = new THREE.Group();
  private readonly meshes: { mesh: THREE.InstancedMesh; bodies: number[] }[] = [];
  private readonly place: { mesh: THREE.InstancedMesh; at: number }[] = [];
  private readonly now: THREE.Vector3[];
  private readonly skins: { b: number; corner: Int32Array; value: Float32Array; colour: THREE.BufferAttribute; plain: boolean }[] = [];

  constructor(private readonly run: Run, private readonly frame: Frame, private readonly isGhost: boolean) {
    const byShape = new Map<number, number[]>();
    run.heading.bodies.forEach((body, b) => {
      const shape = run.surface(body.shape) ? body.shape : -1;
      // A body with pressure on it has colours of its own at every vertex.
      if (!isGhost && shape >= 0 && body.skin >= 0 && run.skinRange) {
        this.addShape(shape, [b]);
        this.addSkin(b, shape);
        return;
      }
      byShape.set(shape, [...(byShape.get(shape) ?? []), b]);
    });
    for (const [shape, bodies] of byShape) this.addShape(shape, bodies);
    this.now = run.heading.bodies.map(() => new THREE.Vector3());
  }

  private addSkin(b: number, shape: number): void {
    const { mesh } = this.place[b]!, surface = this.run.surface(shape)!, material = mesh.material as THREE.MeshPhongMaterial;
    const colour = new THREE.BufferAttribute(new Float32Array(3 * surface.corner.length).fill(1), 3);
    mesh.geometry.setAttribute('color', colour);
    material.vertexColors = true;
    this.skins.push({ b, corner: surface.corner, value: new Float32Array(surface.vertex.length / 3), colour, plain: true });
  }

  /** Colour bodies by the pressure on them at a time, or (null) as they were. */
  showPressure(t: number | null): void {
    const c = new THREE.Color();
    for (const skin of this.skins) {
      if (t === null && skin.plain) continue;
      skin.plain = t === null;
      octants(this.place[skin.b]!.mesh.material as THREE.Material, t === null);
      if (t === null) skin.colour.array.fill(1);
      else {
        this.run.skin(this.run.heading.bodies[skin.b]!.skin, skin.value.length, t, skin.value);
        for (let i = 0; i < skin.corner.length; i++) {
          const v = skin.value[skin.corner[i]!]!;
          const [r, g, b] = v < 0 ? [0.6, 0.6, 0.6] : rampColour(v);
          c.setRGB(r, g, b, THREE.SRGBColorSpace);
          skin.colour.setXYZ(i, c.r, c.g, c.b);
        }
      }
      skin.colour.needsUpdate = true;
    }
  }

  private addShape(shape: number, bodies: number[]): void {
    const surface = this.run.surface(shape);
    const geometry = surface ? geometryOf(surface) : new THREE.OctahedronGeometry(0.02 * this.frame.radius);
    const material = this.isGhost
      ? new THREE.MeshLambertMaterial({ color: 0x8d9aa8, transparent: true, opacity: 0.34, depthWrite: false })
      : new THREE.MeshPhongMaterial({ shininess: 38, specular: 0x242424 });
    if (!this.isGhost && surface && ROUND.includes(this.run.heading.shapes[shape]!.kind))
      quarter(material, this.run.heading.bodies[bodies[0]!]!.center);
    const mesh = new THREE.InstancedMesh(geometry, material, bodies.length);
    mesh.frustumCulled = false;
    bodies.forEach((b, at) => {
      if (!this.isGhost) mesh.setColorAt(at, new THREE.Color(1, 1, 1));
      this.place[b] = { mesh, at };
    });
    this.meshes.push({ mesh, bodies });
    this.object.add(mesh);
  }

  setColour(b: number, colour: THREE.Color): void {
    const { mesh, at } = this.place[b]!;
    mesh.setColorAt(at, colour);
    mesh.instanceColor!.needsUpdate = true;
  }

  position(b: number, out: THREE.Vector3): THREE.Vector3 {
    return out.copy(this.now[b]!);
  }

  update(t: number): void {
    const { run } = this;
    if (run.n === 0) return;
    const { f, s } = run.at(t), next = Math.min(f + 1, run.n - 1);
    const p = new THREE.Vector3(), to = new THREE.Vector3(), q = new THREE.Quaternion(), q2 = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1), arm = new THREE.Vector3(), matrix = new THREE.Matrix4();
    const read = (b: number, k: number, x: THREE.Vector3, turn: THREE.Quaternion) => {
      x.set(run.value('x', b, k), run.value('y', b, k), run.value('z', b, k));
      turn.set(run.value('qx', b, k), run.value('qy', b, k), run.value('qz', b, k), run.value('qw', b, k)).normalize();
    };
    for (let b = 0; b < run.heading.bodies.length; b++) {
      read(b, f, p, q);
      if (s > 0) {
        read(b, next, to, q2);
        p.lerp(to, s);
        q.slerp(q2, s);
      }
      p.sub(this.frame.center);
      this.now[b]!.copy(p);
      p.sub(arm.set(...run.heading.bodies[b]!.center).applyQuaternion(q));
      const { mesh, at } = this.place[b]!;
      mesh.setMatrixAt(at, matrix.compose(p, q, one));
    }
    for (const { mesh } of this.meshes) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  /** The body a ray meets first; -1: none. */
  hit(ray: THREE.Raycaster): number {
    let found = -1, least = Infinity;
    for (const { mesh, bodies } of this.meshes)
      for (const h of ray.intersectObject(mesh))
        if (h.instanceId !== undefined && h.distance < least) [found, least] = [bodies[h.instanceId]!, h.distance];
    return found;
  }
}
