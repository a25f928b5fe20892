import * as z from 'zod';
import type { AccountFacts, ForeseenFailure } from '../../contract/account-check.ts';
import type { PlatformResponse } from '../../contract/http.ts';
import { readResponse } from '../json.ts';

const PublishingLimit = z.object({
  data: z
    .array(z.object({ quota_usage: z.number(), config: z.object({ quota_total: z.number() }).optional() }))
    .min(1),
});

/** The fields to ask for. */
export const publishingLimitFields = 'quota_usage,config';

/** Reads whether an account has used up its limit on posts in 24 hours. The facts are equal as long as it has not. */
export function readPublishingLimit(response: PlatformResponse): AccountFacts {
  const [limit] = readResponse(PublishingLimit, response).data;
  const used = limit?.quota_usage ?? 0;
  const total = limit?.config?.quota_total ?? Number.POSITIVE_INFINITY;
  return used < total ? {} : { used, total };
}

/** @param platform the platform's title */
export function judgePublishingLimit(platform: string, { used, total }: AccountFacts): ForeseenFailure[] {
  if (typeof used !== 'number' || typeof total !== 'number') return [];
  const message = `${platform} has counted ${used} posts of this account in the last 24 hours, and takes ${total}. If none of them is older than 24 hours by then, the post has to wait`;
  return [{ code: 'quota_exhausted', message }];
}
