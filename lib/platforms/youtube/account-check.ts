import * as z from 'zod';
import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { AccountCheck } from '../contract/account-check.ts';
import { readResponse } from '../shared/json.ts';
import { apiRoot } from './client.ts';
import { requireSuccess } from './errors.ts';

const Channels = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        status: z
          .object({ longUploadsStatus: z.string().optional().catch(undefined) })
          .optional()
          .catch(undefined),
      }),
    )
    .default([]),
});

/** The longest video of a channel that may not upload longer ones. https://support.google.com/youtube/answer/71673 */
const usualSeconds = (15 * minuteMs) / secondMs;

/** The values of `longUploadsStatus` that exclude long videos: `eligible` means that the channel must be verified first. */
const excluding = ['eligible', 'disallowed'];

/**
 * Reads the status of the login's channel, for one unit of the app's quota.
 * https://developers.google.com/youtube/v3/docs/channels#status.longUploadsStatus
 */
export const youtubeAccountCheck: AccountCheck = {
  async ask({ platformAccountId }, bearer, tools) {
    const response = await tools.http.send({
      method: 'GET',
      url: `${apiRoot(tools)}/channels`,
      query: { part: 'status', mine: 'true' },
      bearer,
    });
    const { items } = readResponse(Channels, requireSuccess(response, tools.now()));
    const channel = items.find(({ id }) => id === platformAccountId);
    return { isThere: channel !== undefined, longUploads: channel?.status?.longUploadsStatus ?? null };
  },

  judge({ isThere, longUploads }, { media: [file] }) {
    if (isThere === false)
      return [{ code: 'account_restricted', message: 'YouTube no longer lists the channel of this login' }];
    const seconds = Math.floor(file?.durationSeconds ?? 0);
    if (seconds <= usualSeconds || !excluding.includes(String(longUploads))) return [];
    const message = `YouTube: this channel may not upload videos of more than 15 minutes, and this one lasts ${seconds} seconds: verify the channel at youtube.com/verify`;
    return [{ code: 'platform_rejected', message, field: 'mediaItems[0]' }];
  },
};
