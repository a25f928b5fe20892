import type * as z from 'zod';
import type { Platform } from '../contract/names.ts';
import { FacebookOptions } from '../facebook/options.ts';
import { InstagramOptions } from '../instagram/options.ts';
import { LinkedinOptions } from '../linkedin/options.ts';
import { PinterestOptions } from '../pinterest/options.ts';
import { ThreadsOptions } from '../threads/options.ts';
import { TiktokOptions } from '../tiktok/options.ts';
import { YoutubeOptions } from '../youtube/options.ts';

/** `platformSpecificData` of every platform that is built, for the API's document; requests are checked by the rules. */
export const optionSchemas: Readonly<Partial<Record<Platform, z.ZodType>>> = {
  facebook: FacebookOptions,
  instagram: InstagramOptions,
  linkedin: LinkedinOptions,
  pinterest: PinterestOptions,
  threads: ThreadsOptions,
  tiktok: TiktokOptions,
  youtube: YoutubeOptions,
};
