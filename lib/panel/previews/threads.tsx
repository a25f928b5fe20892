import { entriesOf } from '../media/draft-media.ts';
import { words } from '../words/words.ts';
import { type Drawing, shownRatio, textOf } from './format.ts';

import { Avatar, handleOf, LinkCard, Poll, pollOf, RichText, Shot, Sign } from './parts.tsx';

import { firstLink, hostOf } from './texts.ts';
import classes from './threads.module.css';

/** A post, and what the account replies to it itself: the further parts of its thread, or its first comment. */
export function ThreadsPost(drawing: Drawing) {
  const { account, content, options } = drawing;
  const comment = textOf(options, 'firstComment');
  const replies: readonly Reply[] = [
    ...(comment === undefined ? [] : [{ content: comment, media: [] }]),
    ...partsOf(options['thread']),
  ];
  return (
    <div className={classes.posts}>
      <div className={classes.post}>
        <div className={classes.side}>
          <Avatar account={account} />
          {replies.length > 0 && <span className={classes.thread} />}
        </div>
        <div className={classes.body}>
          <Author {...drawing} topic={textOf(options, 'topicTag')} />
          <RichText text={content} platform="threads" />
          <Attachment {...drawing} />
          <Signs />
        </div>
      </div>
      {replies.map((reply, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a reply is known by its place
        <div key={place} className={classes.post}>
          <div className={classes.side}>
            <Avatar account={account} />
            {place < replies.length - 1 && <span className={classes.thread} />}
          </div>
          <div className={classes.body}>
            <Author {...drawing} />
            <RichText text={reply.content} platform="threads" />
            <Attachment {...drawing} {...reply} options={{}} />
            <Signs />
          </div>
        </div>
      ))}
    </div>
  );
}

type Reply = Pick<Drawing, 'content' | 'media'>;

interface Part {
  readonly content?: string | null;
  readonly mediaItems?: readonly { readonly url: string; readonly type?: string }[] | null;
}

const partsOf = (thread: unknown): readonly Reply[] =>
  (Array.isArray(thread) ? (thread as readonly Part[]) : []).map(({ content, mediaItems }) => ({
    content: content ?? '',
    media: (mediaItems ?? []).map(({ url, type }) => ({ url, type: type === 'video' ? 'video' : 'image' })),
  }));

function Author({ account, topic }: Drawing & { topic?: string | undefined }) {
  return (
    <p className={classes.author}>
      <bdi className={classes.name}>{handleOf(account)}</bdi>
      {topic && (
        <bdi className={classes.topic}>
          {'› '}
          {topic.replace(/^#/, '')}
        </bdi>
      )}
      <span className={classes.time}>{words.previews.now}</span>
    </p>
  );
}

const Signs = () => (
  <div className={classes.signs}>
    <Sign name="heart" />
    <Sign name="bubble" />
    <Sign name="repeat" />
    <Sign name="plane" />
  </div>
);

function Attachment({ content, media, options }: Drawing) {
  const [first] = media;
  const poll = pollOf(options);
  if (first === undefined) {
    if (poll !== undefined) return <Poll choices={poll.choices} time="24h" />;
    const link = textOf(options, 'link') ?? firstLink(content);
    return link === undefined ? null : <LinkCard host={hostOf(link)} title={link} />;
  }
  const isHidden = options['isSpoiler'] === true;
  const shape = { min: 0.56, max: 1.91, fallback: 1 };
  return (
    <div
      className={classes.strip}
      {...(media.length > 1 && { tabIndex: 0, role: 'group', 'aria-label': words.previews.pages })}
    >
      {entriesOf(media).map(({ id, place, file }) => (
        <div
          key={id}
          className={media.length > 1 ? classes.item : classes.only}
          style={{ aspectRatio: shownRatio(file, shape) }}
        >
          <Shot media={file} place={place} options={options} />
          {isHidden && <span className={classes.spoiler}>{words.previews.spoiler}</span>}
        </div>
      ))}
    </div>
  );
}
