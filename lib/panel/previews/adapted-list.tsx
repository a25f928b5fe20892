import { words } from '../words/words.ts';
import classes from './adapted-list.module.css';

const texts = words.fit.adapted;

interface AdaptedListProps {
  /** The platform's name. */
  platform: string;
  files: readonly { readonly place?: number | undefined; readonly message: string }[];
  /** The number of files of the destination. With one, there is nothing to tell it from. */
  count: number;
}

/** The changes that are made to files for a destination. Nothing if all are sent as they are. */
export function AdaptedList({ platform, files, count }: AdaptedListProps) {
  const [first, ...others] = files;
  if (first === undefined) return null;
  if (others.length === 0 && count === 1 && first.place !== undefined)
    return (
      <p className={classes.adapted}>
        <b>{texts.title(platform)}:</b> {first.message}.
      </p>
    );
  return (
    <div className={classes.adapted}>
      <b>{texts.title(platform)}</b>
      <ul>
        {files.map(({ place, message }) => (
          <li key={place ?? 'cover'}>{adaptedText(place, message, count)}</li>
        ))}
      </ul>
    </div>
  );
}

/** `File 2: scaled to 1080 × 1350 pixels.` */
export function adaptedText(place: number | undefined, message: string, count: number): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  if (place === undefined) return `${texts.of(texts.cover, message)}.`;
  return `${count === 1 ? text : texts.of(texts.file(place + 1), message)}.`;
}
