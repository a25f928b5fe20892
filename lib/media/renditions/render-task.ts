import { readFile, writeFile } from 'node:fs/promises';
import { inspectFile } from '../probe/inspect.ts';
import type { MediaProbe } from '../schemas.ts';
import { openLocal } from './local-file.ts';
import type { Recipe, VideoRecipe } from './recipe.ts';
import { remuxVideo } from './remux-video.ts';
import { renderImage } from './render-image.ts';
import { UnrenderableError } from './unrenderable.ts';

/** The work of one process. */
export interface RenderTask {
  readonly recipe: Recipe;
  /** The original's content type. */
  readonly contentType: string;
  readonly inputPath: string;
  readonly outputPath: string;
}

export type RenderVerdict =
  | { readonly state: 'rendered' }
  | { readonly state: 'failed'; readonly reason: string };

/** Renders a file. @throws any error that says nothing about the file */
export async function runRenderTask(task: RenderTask): Promise<RenderVerdict> {
  const { recipe, contentType, inputPath, outputPath } = task;
  try {
    if (recipe.kind === 'image')
      await writeFile(outputPath, await renderImage(recipe, await readFile(inputPath), contentType));
    else await repairVideo(recipe, contentType, inputPath, outputPath);
    return { state: 'rendered' };
  } catch (error) {
    if (error instanceof UnrenderableError) return { state: 'failed', reason: error.message };
    throw error;
  }
}

/** Programs count the last frame and the padding of the sound differently. */
const toleranceMs = 500;

/**
 * Remuxes a video, and compares the result with the original: a library that stops at the first thing that it does not
 * understand makes a shorter video, and reports nothing.
 */
async function repairVideo(
  recipe: VideoRecipe,
  contentType: string,
  inputPath: string,
  outputPath: string,
): Promise<void> {
  const before = await probeOf(inputPath, contentType);
  await remuxVideo(recipe, inputPath, outputPath);
  const after = await probeOf(outputPath, recipe.contentType);
  const [had = 0, has = 0] = [before.durationMs, after.durationMs];
  if (has < had - toleranceMs)
    throw new UnrenderableError(
      `only ${has} of its ${had} ms could be repaired; it would have to be encoded again`,
    );
}

/** @throws UnrenderableError if the file cannot be probed */
async function probeOf(path: string, contentType: string): Promise<MediaProbe> {
  await using file = await openLocal(path);
  const found = await inspectFile(file.readRange, file.sizeBytes, contentType);
  if (found.state === 'fit') return found.probe ?? {};
  throw new UnrenderableError('reason' in found ? found.reason : found.state);
}
