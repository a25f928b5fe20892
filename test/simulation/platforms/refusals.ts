import type { Platform } from '../../../lib/platforms/contract/names.ts';

/** An error of each platform for a post that it will never accept. */
export const refusalOf: Readonly<Record<Platform, string>> = {
  facebook: '324',
  instagram: '36004/2207010',
  linkedin: 'INVALID_VALUE_FOR_FIELD',
  pinterest: '400/1',
  threads: '36003/2207009',
  tiktok: 'invalid_param',
  youtube: 'invalidTitle',
};
