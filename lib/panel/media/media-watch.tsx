import { useEffect, useEffectEvent } from 'react';
import type { readMediaOperation } from '../../media/operations.ts';
import { isNotFound } from '../api/api-error.ts';
import { useGet } from '../api/hooks.ts';
import type { ReplyOf } from '../api/operation-types.ts';
import type { DraftMedia } from './draft-media.ts';
import { mediaIdOf } from './local-files.ts';

export type MediaView = ReplyOf<typeof readMediaOperation>['media'];

/** What the service has found out about a file; `gone` if it has none. */
export type Finding = MediaView | 'gone';

const whilePendingMs = 1_500;

/** Whether the service's view of the file has to be read: its facts are not in the draft. */
export const needsWatch = (media: DraftMedia): boolean =>
  mediaIdOf(media) !== undefined && media.widthPixels === undefined && media.durationMs === undefined;

interface MediaWatchProps {
  mediaId: string;
  onFound: (mediaId: string, found: Finding) => void;
}

/** Reads a file until the service has inspected it. Shows nothing. */
export function MediaWatch({ mediaId, onFound }: MediaWatchProps) {
  const { data, error } = useGet<typeof readMediaOperation>(
    '/v1/media/{id}',
    { path: { id: mediaId } },
    {
      refetchEveryMs: (reply) =>
        reply === undefined || reply.media.status === 'pending' ? whilePendingMs : false,
    },
  );
  const found = data?.media ?? (isNotFound(error) ? 'gone' : undefined);
  const tell = useEffectEvent(onFound);
  useEffect(() => {
    if (found !== undefined) tell(mediaId, found);
  }, [mediaId, found]);
  return null;
}

/** The file with the facts that the service has found. */
export function withFacts(media: DraftMedia, { status, type, sizeBytes, probe }: MediaView): DraftMedia {
  if (status !== 'ready') return media;
  return {
    ...media,
    type,
    ...(sizeBytes !== null && { sizeBytes }),
    ...(probe?.width !== undefined && { widthPixels: probe.width }),
    ...(probe?.height !== undefined && { heightPixels: probe.height }),
    ...(probe?.durationMs !== undefined && { durationMs: probe.durationMs }),
  };
}
