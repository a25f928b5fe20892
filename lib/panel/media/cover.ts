import type { Platform } from '../../platforms/contract/names.ts';

/** The option with which a platform takes the cover's frame, and its unit. The others show a frame of their choice, or an image. */
const frameOptions = {
  instagram: { option: 'thumbOffset', unitMs: 1 },
  tiktok: { option: 'videoCoverTimestampMs', unitMs: 1 },
  pinterest: { option: 'coverKeyFrameSeconds', unitMs: 1_000 },
} as const satisfies Partial<Record<Platform, { readonly option: string; readonly unitMs: number }>>;

const frameOptionOf = (platform: Platform) =>
  Object.hasOwn(frameOptions, platform) ? frameOptions[platform as keyof typeof frameOptions] : undefined;

/** The platforms that let the post choose a frame. */
export const takesFrame = (platform: Platform): boolean => frameOptionOf(platform) !== undefined;

/** The platforms that take an image as the cover of a video. */
const imageTakers: readonly Platform[] = ['instagram', 'facebook', 'youtube', 'pinterest', 'linkedin'];
export const takesCoverImage = (platform: Platform): boolean => imageTakers.includes(platform);

/** The option in which a platform takes the address of an image for one destination; `undefined` if it has none. */
export const coverAddressOption = (platform: Platform): string | undefined =>
  platform === 'pinterest' ? 'coverImageUrl' : undefined;

/** The names of the options with which one destination has a cover of its own. Empty if it cannot. */
export function ownCoverOptions(platform: Platform): readonly string[] {
  const names = [frameOptionOf(platform)?.option, coverAddressOption(platform)];
  return names.filter((name) => name !== undefined);
}

/** The chosen frame as `platformSpecificData` of a destination: `{ thumbOffset: 1500 }`. Empty where it has no such option. */
export function coverOptions(
  platform: Platform,
  frameMs: number | undefined,
): Readonly<Record<string, number>> {
  const known = frameOptionOf(platform);
  if (known === undefined || frameMs === undefined) return {};
  return { [known.option]: Math.floor(frameMs / known.unitMs) };
}

/** The frame that a destination's options choose, in milliseconds. */
export function frameMsOf(
  platform: Platform,
  options: Readonly<Record<string, unknown>>,
): number | undefined {
  const known = frameOptionOf(platform);
  const given = known && options[known.option];
  return known && typeof given === 'number' ? given * known.unitMs : undefined;
}
