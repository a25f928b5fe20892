import * as z from 'zod';
import type { Playlist, ReadPlaylists } from '../contract/playlists.ts';
import { readResponse } from '../shared/json.ts';
import { apiRoot } from './client.ts';
import { requireSuccess } from './errors.ts';

const text = z.string().optional().catch(undefined);

const Playlists = z.object({
  nextPageToken: text,
  items: z
    .array(
      z.object({
        id: z.string().min(1),
        snippet: z.object({ title: z.string() }),
        status: z.object({ privacyStatus: text }).optional().catch(undefined),
        contentDetails: z.object({ itemCount: z.int().optional() }).optional().catch(undefined),
      }),
    )
    .default([]),
});

/** The limit on pages of 50 playlists. Our judgement: YouTube documents no largest number. */
const maxPages = 20;
/** The time limit of a call, short because a request to our API may need several calls. */
const totalSeconds = 10;

/** Lists the channel's own playlists, without uploads, likes and "watch later": nothing can be added to those. */
export const listPlaylists: ReadPlaylists = async (bearer, tools) => {
  const playlists: Playlist[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const response = await tools.http.send({
      method: 'GET',
      url: `${apiRoot(tools)}/playlists`,
      query: { part: 'snippet,status,contentDetails', mine: 'true', maxResults: '50', pageToken },
      bearer,
      totalSeconds,
    });
    const { items, nextPageToken } = readResponse(Playlists, requireSuccess(response, tools.now()));
    for (const { id, snippet, status, contentDetails } of items) {
      const itemCount = contentDetails?.itemCount ?? null;
      playlists.push({ id, title: snippet.title, privacy: status?.privacyStatus ?? null, itemCount });
    }
    if (nextPageToken === undefined) break;
    pageToken = nextPageToken;
  }
  return playlists;
};
