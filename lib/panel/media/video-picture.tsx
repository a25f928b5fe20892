import { useEffect, useState } from 'react';
import { parseObjectKey, previewOf } from '../../media/urls.ts';
import { Icon } from '../components/icon.tsx';
import { words } from '../words/words.ts';
import { frameOf } from './video-frame.ts';

interface VideoPictureProps {
  file: { readonly url: string; readonly filename?: string | undefined };
  /** The address of its preview; null if it has none. If absent, nobody knows. */
  preview?: string | null;
}

/**
 * The preview of a stored video. If nobody has stored one, the browser draws a frame, and until it has, or if it cannot, a sign has the
 * name of the file. Mount it where it is in sight, such as in a lazy list.
 */
export function VideoPicture({ file: { url, filename }, preview = previewOf(url) }: VideoPictureProps) {
  const [address, setAddress] = useState(preview ?? undefined);
  const [isMissing, setMissing] = useState(preview === null);
  useEffect(() => {
    const mediaId = isMissing ? mediaIdOf(url) : undefined;
    if (mediaId === undefined) return;
    let isShown = true;
    frameOf({ mediaId, url }).then(
      (drawn) => isShown && setAddress(drawn),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [isMissing, url]);
  const name = filename ?? words.files.kinds.video;
  if (address === undefined)
    return (
      <span role="img" aria-label={name} title={name}>
        <Icon name="play" />
      </span>
    );
  return (
    <img
      src={address}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => {
        setAddress(undefined);
        setMissing(true);
      }}
    />
  );
}

/** Returns the id of the file behind an address of the workspace's storage. */
function mediaIdOf(url: string): string | undefined {
  const [, key = ''] = /\/(media\/[^?#]+)/.exec(url) ?? [];
  return parseObjectKey(key)?.mediaId;
}
