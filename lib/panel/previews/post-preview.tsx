import type { ReactNode } from 'react';
import type { Platform } from '../../platforms/contract/names.ts';
import { nameOf } from '../accounts/account.ts';
import { platformTitles } from '../accounts/platforms.ts';
import { join } from '../components/classes.ts';
import { Icon } from '../components/icon.tsx';
import { frameMsOf, takesCoverImage } from '../media/cover.ts';
import { words } from '../words/words.ts';
import { FacebookPost, FacebookReel } from './facebook.tsx';
import { type Drawing, formatOf, type PostPreviewProps } from './format.ts';

import { InstagramPost, InstagramReel, Story } from './instagram.tsx';
import { LinkedinPost } from './linkedin.tsx';
import { Pin } from './pinterest.tsx';
import classes from './post-preview.module.css';

import { ThreadsPost } from './threads.tsx';
import { TiktokPost } from './tiktok.tsx';
import { YoutubeShort, YoutubeVideo } from './youtube.tsx';

type Draw = (drawing: Drawing) => ReactNode;

const drawn: Readonly<Record<Platform, Draw>> = {
  instagram: (drawing) =>
    drawing.format === 'story' ? (
      <Story {...drawing} />
    ) : drawing.format === 'reel' ? (
      <InstagramReel {...drawing} />
    ) : (
      <InstagramPost {...drawing} />
    ),
  facebook: (drawing) =>
    drawing.format === 'story' ? (
      <Story {...drawing} />
    ) : drawing.format === 'reel' ? (
      <FacebookReel {...drawing} />
    ) : (
      <FacebookPost {...drawing} />
    ),
  threads: (drawing) => <ThreadsPost {...drawing} />,
  youtube: (drawing) =>
    drawing.format === 'short' ? <YoutubeShort {...drawing} /> : <YoutubeVideo {...drawing} />,
  pinterest: (drawing) => <Pin {...drawing} />,
  tiktok: (drawing) => <TiktokPost {...drawing} />,
  linkedin: (drawing) => <LinkedinPost {...drawing} />,
};

/** Returns true if the format fills the screen of a phone, instead of being a card. */
const isScreen = (platform: Platform, { format }: Drawing): boolean =>
  ['reel', 'story', 'short'].includes(format) || (platform === 'tiktok' && format !== 'empty');

/**
 * A drawing of about what the post will look like at its platform, without the platforms' logos and fonts. Its text is the post's
 * text, and its pictures have their descriptions, so it is read as the post would be.
 */
export function PostPreview({ children, ...props }: PostPreviewProps) {
  const { account, content, media, options } = props;
  const { platform } = account;
  const format = formatOf(platform, media, options);
  const drawing: Drawing = {
    ...props,
    format,
    frameMs: frameMsOf(platform, options),
    cover: takesCoverImage(platform) ? props.cover : undefined,
  };
  const isEmpty =
    format === 'empty' || (format === 'text' && content.trim() === '' && options['link'] === undefined);
  const title = words.previews.of(platformTitles[platform], words.previews.formats[format]);
  const draft = options['draft'] === true ? words.previews.draft[platform] : undefined;
  return (
    <figure
      className={join(classes.preview, classes[platform])}
      aria-label={words.previews.label(title, nameOf(account))}
    >
      {children}
      {isEmpty ? (
        <div className={classes.empty}>
          <Icon name="image" size={24} />
          <p>{words.previews.empty[platform] ?? words.previews.empty['other']}</p>
          {content.trim() !== '' && (
            <p className={classes.words} dir="auto">
              {content}
            </p>
          )}
        </div>
      ) : (
        <div className={isScreen(platform, drawing) ? undefined : classes.card}>
          {drawn[platform](drawing)}
        </div>
      )}
      <figcaption className={classes.caption}>
        {draft && <p className={classes.draft}>{draft}</p>}
        {words.previews.about(platformTitles[platform])}
      </figcaption>
    </figure>
  );
}
