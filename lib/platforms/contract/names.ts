import * as z from 'zod';

export const platformNames = [
  'instagram',
  'facebook',
  'threads',
  'youtube',
  'pinterest',
  'tiktok',
  'linkedin',
] as const;

export const Platform = z.enum(platformNames).meta({ id: 'Platform' });
export type Platform = z.infer<typeof Platform>;

/** The platforms' names as people write them. */
export const platformTitles: Readonly<Record<Platform, string>> = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  threads: 'Threads',
  youtube: 'YouTube',
  pinterest: 'Pinterest',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
};

/** The kind of author that a login posts as. LinkedIn requires a separate app for each. */
export const AccountKind = z.enum(['member', 'organization']);
export type AccountKind = z.infer<typeof AccountKind>;

/** The type of a file in a post. A document (LinkedIn only) is an `image`. */
export const MediaType = z.enum(['video', 'image']).meta({ id: 'MediaType' });
export type MediaType = z.infer<typeof MediaType>;

/** The properties of a file that rules limit, and that a probe may fail to measure. */
export const MeasuredProperty = z.enum([
  'width',
  'durationMs',
  'videoCodec',
  'frameRate',
  'chroma',
  'scan',
  'audioCodec',
  'audioSampleRate',
  'audioChannels',
]);
export type MeasuredProperty = z.infer<typeof MeasuredProperty>;
