// Slices of the flow: pictures that the run wrote, on the planes where they belong.

import * as THREE from 'three';
import { Run, Slice } from './data';
import type { Frame, Layer } from './scene';

const KEPT = 40; // textures at a time

/** The part of a picture that shows the flow, without its frame and words. */
async function textureOf(slice: Slice): Promise<THREE.Texture> {
  const [x, y, width, height] = slice.crop;
  const image = await createImageBitmap(new Blob([slice.bytes], { type: 'image/png' }), x, y, width, height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')!.drawImage(image, 0, 0);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

function planeOf(slice: Slice, center: THREE.Vector3): THREE.BufferGeometry {
  const corner = new THREE.Vector3(...slice.corner).sub(center), right = new THREE.Vector3(...slice.right), up = new THREE.Vector3(...slice.up);
  const points = [corner, corner.clone().add(right), corner.clone().add(right).add(up), corner.clone().add(up)];
  const geometry = new THREE.BufferGeometry().setFromPoints(points);
  geometry.setAttribute('uv', new THREE.Float32BufferAttribute([0, 0, 1, 0, 1, 1, 0, 1], 2));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

export class Slices implements Layer {
  readonly object = new THREE.Group();
  private readonly planes: { mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>; slices: Slice[]; shown: Slice | null }[] = [];
  private readonly textures = new Map<Slice, THREE.Texture>();

  constructor(run: Run, private readonly frame: Frame, private readonly changed: () => void) {
    for (const number of new Set(run.slices.map((s) => s.slice))) {
      const material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, alphaTest: 0.5, toneMapped: false });
      const mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
      mesh.visible = false;
      this.object.add(mesh);
      this.planes.push({ mesh, slices: run.slices.filter((s) => s.slice === number), shown: null });
    }
  }

  /** The pictures that are shown now: the last of each slice that is not later than t. */
  shown(t: number): Slice[] {
    return this.planes.map(({ slices }) => slices.filter((s) => s.time <= t + 1e-12 * Math.abs(t)).at(-1) ?? slices[0]!);
  }

  update(t: number): void {
    this.shown(t).forEach((slice, k) => {
      const plane = this.planes[k]!;
      if (plane.shown === slice) return;
      plane.shown = slice;
      void this.show(plane, slice);
    });
  }

  private async show(plane: (typeof this.planes)[number], slice: Slice): Promise<void> {
    let texture = this.textures.get(slice);
    if (!texture) {
      texture = await textureOf(slice);
      this.textures.set(slice, texture);
    }
    if (plane.shown !== slice) return;
    plane.mesh.geometry.dispose();
    plane.mesh.geometry = planeOf(slice, this.frame.center);
    plane.mesh.material.map = texture;
    plane.mesh.material.needsUpdate = true;
    plane.mesh.visible = true;
    this.forget();
    this.changed();
  }

  /** Let go of the oldest textures that are not shown. */
  private forget(): void {
    for (const [slice, texture] of this.textures) {
      if (this.textures.size <= KEPT) return;
      if (this.planes.some((p) => p.shown === slice)) continue;
      texture.dispose();
      this.textures.delete(slice);
    }
  }
}
