import { type CSSProperties, useState } from 'react';
import { cropOf } from '../../media/renditions/crop.ts';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { words } from '../words/words.ts';
import { formatNameOf, type SentForm, type ShownMedia, shownAddressOf } from './draft-media.ts';

import classes from './picture.module.css';

interface PictureProps {
  media: ShownMedia;
  frameMs?: number | undefined;
  isWhole?: boolean;
  alt?: string;
  isSmall?: boolean;
}

/** The picture of a file, as it is sent: an image, a frame of a video, or a sign for what cannot be shown. */
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
  const [original, setOriginal] = useState<Size>();
  if (hasFailed) return <Sign {...props} />;
  const common = {
    className: join(classes.picture, isWhole && classes.whole),
    onError: () => setFailed(true),
    draggable: false,
  };
  if (media.type === 'image') {
    const { sent, widthPixels: width, heightPixels: height } = media;
    const image = <img {...common} src={address} alt={alt} width={width} height={height} />;
    if (sent === undefined || width === undefined || height === undefined) return image;
    return (
      <span className={join(classes.sent, isWhole && classes.sentWhole)}>
        <span style={canvasStyle(sent, { width, height })}>
          <img
            {...common}
            className={undefined}
            src={address}
            alt={alt}
            style={original && placed(sent, original, { width, height })}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setOriginal({ width: naturalWidth, height: naturalHeight })
            }
          />
        </span>
      </span>
    );
  }
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

interface Size {
  readonly width: number;
  readonly height: number;
}

const canvasStyle = ({ background }: SentForm, { width, height }: Size) =>
  ({ '--shape': width / height, background }) as CSSProperties;

/** The place of the original in what is sent, as the service renders it. */
function placed({ fit, focalPoint }: SentForm, original: Size, sent: Size): CSSProperties {
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
  if (fit === 'pad') {
    const scale = Math.min(sent.width / original.width, sent.height / original.height);
    return {
      width: percent(original.width * scale, sent.width),
      height: percent(original.height * scale, sent.height),
    };
  }
  const part = cropOf(original, sent, focalPoint);
  return {
    width: percent(original.width, part.width),
    height: percent(original.height, part.height),
    left: percent(-part.left, part.width),
    top: percent(-part.top, part.height),
  };
}

/** A sign in place of a picture, with the reason. */
function Sign({ media, alt = '', isSmall }: PictureProps) {
  const icon = media.isDocument ? 'posts' : media.type === 'video' ? 'play' : 'image';
  const explanation = media.isDocument
    ? media.fileName
    : shownAddressOf(media) === undefined
      ? words.media.tile.remote
      : media.widthPixels !== undefined || media.type === 'video'
        ? words.media.tile.noPicture(formatNameOf(media))
        : words.media.tile.checking;
  return (
    <span className={classes.sign} {...(alt && { role: 'img', 'aria-label': alt })}>
      <Icon name={icon} size={isSmall ? 16 : 24} />
      {!isSmall && <span className={classes.words}>{explanation}</span>}
    </span>
  );
}
