import { lazy, Suspense, useState } from 'react';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import type { ListedPost } from './post.ts';
import classes from './thumbnail.module.css';

const VideoPicture = lazy(async () => ({
  default: (await import('../media/video-picture.tsx')).VideoPicture,
}));

/** The picture of a post: its cover, or its first file, images before others. */
export function pictureOf({ mediaItems, coverUrl }: Pick<ListedPost, 'mediaItems' | 'coverUrl'>) {
  if (coverUrl !== null) return { type: 'image', url: coverUrl } as const;
  return mediaItems.find(({ type }) => type === 'image') ?? mediaItems[0];
}

/** The picture of a post, whose size is known before it is loaded; nothing if the post has no files. */
export function Thumbnail({ post, className }: { post: ListedPost; className?: string | undefined }) {
  const [brokenUrl, setBroken] = useState<string>();
  const picture = pictureOf(post);
  if (picture === undefined) return null;
  const { type, url } = picture;
  return (
    <span className={join(classes.thumbnail, className)}>
      {type === 'video' ? (
        <Suspense>
          <VideoPicture key={url} file={picture} />
        </Suspense>
      ) : type === 'image' && url !== brokenUrl ? (
        <img
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(url)}
        />
      ) : (
        <Icon name={type === 'image' ? 'image' : 'posts'} />
      )}
    </span>
  );
}
