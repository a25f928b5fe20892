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

/** As whom a login posts, at a platform that wants one app for each: LinkedIn. */
export const AccountKind = z.enum(['member', 'organization']);
export type AccountKind = z.infer<typeof AccountKind>;

/** What a post calls a file. A document, which LinkedIn takes, is an `image`. */
export const MediaType = z.enum(['video', 'image']);
export type MediaType = z.infer<typeof MediaType>;
