import type * as z from 'zod';
import type { Platform } from '../contract/names.ts';
import { FacebookOptions } from '../facebook/options.ts';
import { InstagramOptions } from '../instagram/options.ts';
import { LinkedinOptions } from '../linkedin/options.ts';
import { PinterestOptions } from '../pinterest/options.ts';
import { ThreadsOptions } from '../threads/options.ts';
import { TiktokOptions } from '../tiktok/options.ts';
import { YoutubeOptions } from '../youtube/options.ts';

/** Each platform's `platformSpecificData`, for the OpenAPI document. Requests are checked by the platform's rules. */
export const optionSchemas: Readonly<Partial<Record<Platform, z.ZodType>>> = {
  facebook: FacebookOptions,
  instagram: InstagramOptions,
  linkedin: LinkedinOptions,
  pinterest: PinterestOptions,
  threads: ThreadsOptions,
  tiktok: TiktokOptions,
  youtube: YoutubeOptions,
};
