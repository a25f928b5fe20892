import { useState } from 'react';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { words } from '../words/words.ts';
import classes from './files.module.css';
import type { ListedPost } from './post.ts';

const texts = words.files;

type File = ListedPost['mediaItems'][number];

interface FileListProps {
  files: readonly File[];
  /** The picture of the first file, if that is a video. */
  coverUrl?: string | null;
  /** The number of files to show; default: all. */
  most?: number;
  /** True to open a file on request, such as a video, which has no picture here. */
  areLinks?: boolean;
}

/** The files of a post, in order. Nothing if it has none. */
export function FileList({ files, coverUrl = null, most = files.length, areLinks = false }: FileListProps) {
  if (files.length === 0) return null;
  return (
    <ul className={classes.media} aria-label={texts.label}>
      {files.slice(0, most).map((file, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a post may have the same file twice
        <li key={place} className={classes.file}>
          {areLinks ? (
            <a href={file.url} target="_blank" rel="noreferrer" className={classes.link}>
              <FilePicture file={file} coverUrl={place === 0 ? coverUrl : null} />
            </a>
          ) : (
            <FilePicture file={file} coverUrl={place === 0 ? coverUrl : null} />
          )}
        </li>
      ))}
      {files.length > most && (
        <li className={join(classes.file, classes.noImage)}>{texts.more(files.length - most)}</li>
      )}
    </ul>
  );
}

interface FilePictureProps {
  file: File;
  coverUrl: string | null;
}

/** A file, or its name if the browser cannot show it. */
function FilePicture({ file: { type, url, altText, filename }, coverUrl }: FilePictureProps) {
  const [hasFailed, setFailed] = useState(false);
  const address = type === 'image' ? url : type === 'video' ? coverUrl : null;
  const name = altText || filename || texts.kinds[type];
  if (address !== null && !hasFailed)
    return <img src={address} alt={name} loading="lazy" onError={() => setFailed(true)} />;
  return (
    <span className={classes.noImage}>
      <Icon name={type === 'video' ? 'play' : type === 'image' ? 'image' : 'posts'} size={20} />
      <bdi className={classes.fileName}>{filename ?? texts.kinds[type]}</bdi>
    </span>
  );
}
