import type { FocalPoint } from './recipe.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A part of a picture, in pixels. */
export interface Part extends Size {
  readonly left: number;
  readonly top: number;
}

const middle: FocalPoint = { x: 0.5, y: 0.5 };

/**
 * Returns the largest part of a picture with the shape of a size, with the focal point as near to its middle as possible. Pure. Browsers
 * use it too, so that a preview shows what is sent.
 */
export function cropOf({ width, height }: Size, to: Size, { x, y }: FocalPoint = middle): Part {
  const scale = Math.max(to.width / width, to.height / height);
  const part = {
    width: Math.min(width, Math.ceil(to.width / scale)),
    height: Math.min(height, Math.ceil(to.height / scale)),
  };
  return { ...part, left: startOf(x, width, part.width), top: startOf(y, height, part.height) };
}

/** Returns the beginning of a part of a side that has the point as near to its middle as possible. */
function startOf(point: number, whole: number, part: number): number {
  return Math.min(whole - part, Math.max(0, Math.round(point * whole - part / 2)));
}
