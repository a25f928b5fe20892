import { fetchMedia, type MeasuredMedia, mediaFetcher } from '../kit/media/media-intake.ts';
import type { Workbench } from '../kit/types.ts';
import type { Ending } from './ending.ts';
import type { State } from './state.ts';

/** Downloads a post's files in the background. Restarts the downloads that the end of the process interrupted. */
export interface Fetching {
  begin(publishId: string): void;
}

const longestFetchMs = 3_600_000;

export function openFetching(workbench: Workbench, { publishes }: State, ending: Ending): Fetching {
  const { background, clock, ledger } = workbench;
  const fetcher = mediaFetcher(workbench, 'TikTokBot/1.0', 60);

  async function fetchAll(publishId: string): Promise<void> {
    const publish = publishes.get(publishId);
    if (publish === undefined) return;
    const media: MeasuredMedia[] = [];
    for (const url of publish.urls) {
      const outcome = await fetchMedia(url, fetcher);
      if (background.stopping.aborted) return;
      if (!outcome.ok) {
        ending.fail(
          publishId,
          publish.kind === 'video' ? 'video_pull_failed' : 'photo_pull_failed',
          clock.now(),
        );
        return;
      }
      media.push(outcome.media);
    }
    ledger.writtenAt(publish.beganAt, () => ending.settle(publishId, media, publish.beganAt));
  }

  const begin = (publishId: string) => background.run(() => fetchAll(publishId));

  for (const { id, urls, end } of publishes.list({ since: clock.now() - longestFetchMs })) {
    if (urls.length > 0 && end === undefined) begin(id);
  }

  return { begin };
}
