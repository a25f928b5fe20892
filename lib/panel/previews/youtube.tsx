import { words } from '../words/words.ts';
import { type Drawing, textOf } from './format.ts';

import { Author, FirstComment, handleOf, RichText, Shot, Vertical } from './parts.tsx';

import classes from './youtube.module.css';

/** Returns the title, as the service takes it: the option, else the first line of the text. */
const titleOf = ({ options, content }: Drawing): string | undefined =>
  textOf(options, 'title') ??
  content
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');

/** A video's own page. */
export function YoutubeVideo(drawing: Drawing) {
  const { account, content, media, options, cover } = drawing;
  const [video] = media;
  const comment = textOf(options, 'firstComment');
  return (
    <div>
      <div className={classes.player}>
        {video && (
          <Shot media={video} place={0} options={options} cover={cover} isWhole={cover === undefined} />
        )}
      </div>
      <div className={classes.about}>
        <p className={classes.title} dir="auto">
          {titleOf(drawing) ?? words.previews.noTitle}
        </p>
        <Author account={account} isLarge />
        <div className={classes.description}>
          <b>{words.previews.channelMeta}</b>
          <RichText
            text={content}
            platform="youtube"
            rule={{ characters: 110, lines: 2 }}
            more={`...${words.previews.more}`}
          />
        </div>
      </div>
      {comment && <FirstComment account={account} text={comment} platform="youtube" />}
    </div>
  );
}

/** A Short, as it plays. */
export function YoutubeShort(drawing: Drawing) {
  const { account, media, options, cover } = drawing;
  const [video] = media;
  return (
    <Vertical
      signs={['thumb', 'bubble', 'share', 'repeat']}
      foot={
        <>
          <Author account={account} name={`@${handleOf(account)}`} isLarge />
          <RichText text={titleOf(drawing) ?? words.previews.noTitle} platform="youtube" />
        </>
      }
    >
      {video && <Shot media={video} place={0} options={options} cover={cover} hasLength={false} />}
    </Vertical>
  );
}
