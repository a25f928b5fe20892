import { useState } from 'react';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { words } from '../words/words.ts';
import { type DraftMedia, shownAddressOf } from './draft-media.ts';

import classes from './picture.module.css';

interface PictureProps {
  media: DraftMedia;
  frameMs?: number | undefined;
  isWhole?: boolean;
  alt?: string;
  isSmall?: boolean;
}

/** The picture of a file: an image, a frame of a video, or a sign for what cannot be shown. */
export function Picture(props: PictureProps) {
  const { media } = props;
  const address = media.isDocument ? undefined : shownAddressOf(media);
  if (address === undefined) return <Sign {...props} />;
  // Once the service has looked at the file, it serves it: then it is tried again.
  return <Loaded key={`${address} ${media.widthPixels ?? ''}`} {...props} address={address} />;
}

function Loaded({ address, ...props }: PictureProps & { address: string }) {
  const { media, frameMs, isWhole, alt = '' } = props;
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <Sign {...props} />;
  const common = {
    className: join(classes.picture, isWhole && classes.whole),
    onError: () => setFailed(true),
    draggable: false,
  };
  if (media.type === 'image')
    return <img {...common} src={address} alt={alt} width={media.widthPixels} height={media.heightPixels} />;
  // The first frame is often black.
  const at = (frameMs ?? 100) / 1_000;
  return (
    <span className={classes.video} {...(alt && { role: 'img', 'aria-label': alt })}>
      <video
        {...common}
        src={`${address}#t=${at}`}
        preload="metadata"
        muted
        playsInline
        aria-hidden="true"
        tabIndex={-1}
      />
    </span>
  );
}

/** A sign in place of a picture, with the reason. */
function Sign({ media, alt = '', isSmall }: PictureProps) {
  const icon = media.isDocument ? 'posts' : media.type === 'video' ? 'play' : 'image';
  const explanation = media.isDocument
    ? media.fileName
    : shownAddressOf(media) === undefined
      ? words.media.tile.remote
      : media.widthPixels !== undefined || media.type === 'video'
        ? words.media.tile.noPicture
        : words.media.tile.checking;
  return (
    <span className={classes.sign} {...(alt && { role: 'img', 'aria-label': alt })}>
      <Icon name={icon} size={isSmall ? 16 : 24} />
      {!isSmall && <span className={classes.words}>{explanation}</span>}
    </span>
  );
}
