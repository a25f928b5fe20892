import { words } from '../words/words.ts';
import { type Drawing, shownRatio, textOf } from './format.ts';

import { Author, Pages, RichText, Shot } from './parts.tsx';
import classes from './pinterest.module.css';
import { hostOf } from './texts.ts';

/** A Pin that was opened. A carousel begins with its cover. */
export function Pin({ account, content, media, options, frameMs, cover }: Drawing) {
  const begin = options['carouselCoverIndex'];
  const from = typeof begin === 'number' && begin < media.length ? begin : 0;
  const [first] = media.slice(from);
  const title = textOf(options, 'title');
  const link = textOf(options, 'link');
  return (
    <div className={classes.pin}>
      {first && (
        <div className={classes.picture}>
          <Pages count={media.length} ratio={shownRatio(first, { min: 0.47, max: 1.91, fallback: 2 / 3 })}>
            {(turned) => {
              const place = (from + turned) % media.length;
              const file = media[place];
              return (
                file && (
                  <Shot
                    key={file.url}
                    media={file}
                    place={place}
                    options={options}
                    frameMs={frameMs}
                    cover={cover}
                  />
                )
              );
            }}
          </Pages>
          {link && <span className={classes.link}>{hostOf(link)}</span>}
        </div>
      )}
      <div className={classes.words}>
        {title && (
          <p className={classes.title} dir="auto">
            {title}
          </p>
        )}
        <RichText text={content} platform="pinterest" rule={{ characters: 150, lines: 3 }} />
        <Author account={account} />
        {link && <span className={classes.visit}>{words.previews.visitSite}</span>}
      </div>
    </div>
  );
}
