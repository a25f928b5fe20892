import { words } from '../words/words.ts';
import classes from './facebook.module.css';
import { type Drawing, shownRatio, textOf } from './format.ts';
import {
  Author,
  Collage,
  FeedActs,
  FeedHead,
  FirstComment,
  LinkCard,
  RichText,
  Shot,
  type SignName,
  Vertical,
} from './parts.tsx';

import { firstLink, hostOf } from './texts.ts';

const acts: readonly (readonly [SignName, string])[] = [
  ['thumb', words.previews.acts.like],
  ['bubble', words.previews.acts.comment],
  ['share', words.previews.acts.share],
];

/** A post of a Page. */
export function FacebookPost(drawing: Drawing) {
  const { account, content, options } = drawing;
  const comment = textOf(options, 'firstComment');
  return (
    <div>
      <FeedHead account={account} when={words.previews.justNow} className={classes.head} />
      <RichText
        className={classes.text}
        text={content}
        platform="facebook"
        rule={{ characters: 477, lines: 5 }}
        more={words.previews.seeMore}
      />
      <Attachment {...drawing} />
      <FeedActs acts={acts} />
      {comment && <FirstComment account={account} text={comment} platform="facebook" />}
    </div>
  );
}

function Attachment({ content, media, options, cover, frameMs }: Drawing) {
  const [first] = media;
  if (first === undefined) {
    const link = textOf(options, 'link') ?? firstLink(content);
    return link === undefined ? null : <LinkCard host={hostOf(link).toLocaleUpperCase()} title={link} />;
  }
  if (first.type === 'image') return <Collage media={media} options={options} most={5} look="facebook" />;
  const title = textOf(options, 'title');
  return (
    <>
      <div style={{ aspectRatio: shownRatio(first, { min: 0.8, max: 1.91, fallback: 16 / 9 }) }}>
        <Shot media={first} place={0} options={options} cover={cover} frameMs={frameMs} />
      </div>
      {title && (
        <b className={classes.title} dir="auto">
          {title}
        </b>
      )}
    </>
  );
}

/** A reel, as it plays. */
export function FacebookReel({ account, content, media, options, cover, frameMs }: Drawing) {
  const [video] = media;
  return (
    <Vertical
      signs={['thumb', 'bubble', 'share', 'dots']}
      foot={
        <>
          <Author account={account} />
          <RichText text={content} platform="facebook" rule={{ characters: 70, lines: 2 }} />
        </>
      }
    >
      {video && (
        <Shot media={video} place={0} options={options} cover={cover} frameMs={frameMs} hasLength={false} />
      )}
    </Vertical>
  );
}
