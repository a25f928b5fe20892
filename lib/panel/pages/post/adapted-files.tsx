import { useState } from 'react';
import { platformTitles } from '../../accounts/platforms.ts';
import { Icon } from '../../components/icon.tsx';
import { askedShape, placeIn, placeInThread, shownAs } from '../../media/adapted.ts';
import type { DraftMedia, ShownMedia } from '../../media/draft-media.ts';
import { Picture } from '../../media/picture.tsx';
import type { Post, Target } from '../../posts/post.ts';
import { adaptedText } from '../../previews/adapted-list.tsx';
import { words } from '../../words/words.ts';
import classes from './post.module.css';
import { hasMadeFiles, type Timeline } from './steps.ts';

const texts = words.fit.adapted;

interface AdaptedFilesProps {
  target: Target;
  post: Post;
  timeline: Timeline | undefined;
}

/** The files that a destination gets in another form, as they are sent. Until they exist, the browser draws about the same. */
export function AdaptedFiles({ target, post, timeline }: AdaptedFilesProps) {
  const { adaptations, accountId, platform, customMedia } = target;
  if (adaptations.length === 0) return null;
  const title = platformTitles[platform];
  const isMade = hasMadeFiles(timeline, accountId);
  const files = customMedia ?? post.mediaItems;
  return (
    <div className={classes.adapted}>
      <h4 className={classes.adaptedTitle}>{texts.title(title)}</h4>
      <ul className={classes.adaptedFiles}>
        {adaptations.map((adaptation) => {
          const { field, message, url, contentType } = adaptation;
          const inThread = placeInThread(field);
          if (inThread !== undefined)
            return (
              <li key={field}>
                {words.postPage.targets.threadFile(inThread.part + 2, inThread.place + 1, message)}
              </li>
            );
          const place = placeIn(field);
          const original = originalOf(place === undefined ? undefined : files[place], post);
          const name = place === undefined ? texts.cover : texts.file(place + 1);
          const asked = askedShape(
            { ...(customMedia !== null && { media: customMedia }), shape: shapeIn(target) },
            place === undefined ? undefined : original,
          );
          return (
            <li key={field} className={classes.adaptedFile}>
              <div className={classes.sentPicture}>
                {contentType.startsWith('video/') || original === undefined ? (
                  <span className={classes.sentSign}>
                    <Icon name="play" size={20} />
                  </span>
                ) : (
                  <SentPicture
                    key={String(isMade)}
                    address={isMade ? url : null}
                    drawn={shownAs(original, adaptation, asked)}
                    alt={texts.picture(name, title)}
                  />
                )}
              </div>
              <p>{adaptedText(place, message, files.length)}</p>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

type StoredFile = Post['mediaItems'][number];

/** @param file `undefined` for the cover */
function originalOf(file: StoredFile | undefined, { coverUrl }: Post): DraftMedia | undefined {
  if (file === undefined) return coverUrl === null ? undefined : { url: coverUrl, type: 'image' };
  const { url, type, filename } = file;
  return {
    url,
    type: type === 'video' ? 'video' : 'image',
    ...(filename !== undefined && { fileName: filename }),
    shape: shapeIn(file),
  };
}

/** The fields that ask for a shape, if they are there. */
function shapeIn({
  fit,
  padColor,
  focalPoint,
}: Pick<Target | StoredFile, 'fit' | 'padColor' | 'focalPoint'>) {
  return { ...(fit && { fit }), ...(padColor && { padColor }), ...(focalPoint && { focalPoint }) };
}

interface SentPictureProps {
  /** The file that is sent; `null` while it does not exist. */
  address: string | null;
  drawn: ShownMedia;
  alt: string;
}

function SentPicture({ address, drawn, alt }: SentPictureProps) {
  const [hasFailed, setFailed] = useState(false);
  if (address === null || hasFailed) return <Picture media={drawn} isWhole isSmall alt={alt} />;
  return <img src={address} alt={alt} loading="lazy" onError={() => setFailed(true)} />;
}
