import * as z from 'zod';
import type { AccountCheck } from '../contract/account-check.ts';
import { tiktokClient } from './client.ts';
import { refusalsBy } from './standing.ts';

const Facts = z.object({
  privacyLevels: z.array(z.string()),
  maxVideoSeconds: z.number().nullable(),
});

/**
 * Reads the creator info, which TikTok allows 20 times a minute. Drafts need neither it nor its scope.
 * https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info
 */
export const tiktokAccountCheck: AccountCheck = {
  concerns: (options) => options['draft'] !== true,

  async ask(_account, accessToken, tools) {
    const { privacyLevels, maxVideoSeconds } = await tiktokClient({ accessToken }, tools).creator();
    return { privacyLevels: [...privacyLevels], maxVideoSeconds };
  },

  // What the creator has turned off in TikTok is turned off for the post, which is no failure.
  judge(facts, content) {
    const { success, data } = Facts.safeParse(facts);
    // The rules refuse a post without an audience.
    return success && content.options['privacyLevel'] !== undefined ? refusalsBy(data, content) : [];
  },
};
