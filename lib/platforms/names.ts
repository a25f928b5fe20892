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
