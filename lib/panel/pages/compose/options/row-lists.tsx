import { type ReactNode, useState } from 'react';
import { maxUserTags } from '../../../../platforms/instagram/limits.ts';
import { pollLimits as linkedinLimits } from '../../../../platforms/linkedin/limits.ts';
import {
  descriptionCharacters,
  linkCharacters,
  titleCharacters,
} from '../../../../platforms/pinterest/limits.ts';
import { maxTextSpoilers, pollLimits as threadsLimits } from '../../../../platforms/threads/limits.ts';
import { captionLimits } from '../../../../platforms/youtube/limits.ts';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Muted } from '../../../components/layout.tsx';
import { Select } from '../../../components/select.tsx';
import { TextField } from '../../../components/text-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { FilePicker } from '../../../media/add-files.tsx';
import { words } from '../../../words/words.ts';
import { Said } from '../fields.tsx';
import type { ControlProps, Special } from './control.ts';
import classes from './options.module.css';

const pollTexts = words.options.poll;

interface Poll {
  question?: string;
  options?: readonly string[];
  duration?: string;
}

const pollOf = (value: unknown): Poll | undefined =>
  typeof value === 'object' && value !== null ? (value as Poll) : undefined;

/** A poll of Threads: answers only, because the text is the question. */
export function ThreadsPollControl(props: ControlProps<Special>) {
  const { value, set } = props;
  const poll = pollOf(value);
  return (
    <PollFrame {...props} poll={poll} empty={{ options: ['', ''] }}>
      <Answers
        value={poll?.options ?? []}
        onChange={(answers) => set({ ...poll, options: answers })}
        {...threadsLimits.options}
        mostCharacters={threadsLimits.optionCharacters}
      />
    </PollFrame>
  );
}

/** A poll of LinkedIn. */
export function LinkedinPollControl(props: ControlProps<Special>) {
  const { value, set } = props;
  const poll = pollOf(value);
  const change = (changes: Poll) => set({ ...poll, ...changes });
  return (
    <PollFrame {...props} poll={poll} empty={{ question: '', options: ['', ''], duration: 'SEVEN_DAYS' }}>
      <TextField
        label={pollTexts.question}
        value={poll?.question ?? ''}
        onChange={(question) => change({ question })}
        maxLength={linkedinLimits.questionCharacters}
        autoComplete="off"
      />
      <Answers
        value={poll?.options ?? []}
        onChange={(answers) => change({ options: answers })}
        {...linkedinLimits.options}
        mostCharacters={linkedinLimits.optionCharacters}
      />
      <Select
        label={pollTexts.duration}
        choices={Object.entries(pollTexts.durations).map(([id, name]) => ({ id, name }))}
        value={poll?.duration ?? 'SEVEN_DAYS'}
        onChange={(key) => change({ duration: String(key) })}
      />
    </PollFrame>
  );
}

interface PollFrameProps extends ControlProps<Special> {
  poll: Poll | undefined;
  empty: Poll;
  children: ReactNode;
}

function PollFrame({ control, of, set, poll, empty, children }: PollFrameProps) {
  return (
    <fieldset className={classes.rows}>
      <legend className={textClasses.label}>{control.label}</legend>
      {poll !== undefined && children}
      <Said of={of} />
      <div>
        {poll === undefined ? (
          <Button size="small" icon="plus" onPress={() => set(empty)}>
            {pollTexts.add}
          </Button>
        ) : (
          <Button size="small" variant="quiet" icon="cross" onPress={() => set(undefined)}>
            {pollTexts.remove}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface AnswersProps {
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  min: number;
  max: number;
  mostCharacters: number;
}

function Answers({ value, onChange, min, max, mostCharacters }: AnswersProps) {
  return (
    <>
      {value.map((answer, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer is known by its place
        <div key={place} className={classes.row}>
          <TextField
            label={pollTexts.answer(place + 1)}
            value={answer}
            onChange={(text) => onChange(value.with(place, text))}
            maxLength={mostCharacters}
            autoComplete="off"
          />
          {value.length > min && (
            <IconButton
              icon="cross"
              label={pollTexts.removeAnswer(place + 1)}
              onPress={() => onChange(value.toSpliced(place, 1))}
            />
          )}
        </div>
      ))}
      {value.length < max && (
        <div>
          <Button size="small" icon="plus" onPress={() => onChange([...value, ''])}>
            {pollTexts.addAnswer}
          </Button>
        </div>
      )}
    </>
  );
}

interface Spoiler {
  offset: number;
  length: number;
}

const spoilerTexts = words.options.spoilers;

/** Words that readers tap to see. A person names the words; Threads wants to know where they are. */
export function SpoilersControl({ control, content, value: given, of, set }: ControlProps<Special>) {
  const [words, setWords] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const spoilers = Array.isArray(given) ? (given as readonly Spoiler[]) : [];
  const add = () => {
    const found = findFree(content, words, spoilers);
    setIsMissing(found === undefined);
    if (found === undefined) return;
    setWords('');
    set([...spoilers, found]);
  };
  const remove = (place: number) => set(spoilers.length > 1 ? spoilers.toSpliced(place, 1) : undefined);
  return (
    <fieldset className={classes.rows}>
      <legend className={textClasses.label}>{control.label}</legend>
      {spoilers.map(({ offset, length }, place) => {
        const hidden = content.slice(offset, offset + length) || spoilerTexts.outside;
        return (
          <div key={`${offset}-${length}`} className={classes.row}>
            <code className={classes.quoted}>{hidden}</code>
            <IconButton
              icon="cross"
              size="small"
              label={spoilerTexts.remove(hidden)}
              onPress={() => remove(place)}
            />
          </div>
        );
      })}
      <Said of={of} />
      {spoilers.length < maxTextSpoilers && (
        <div className={classes.row}>
          <TextField
            label={spoilerTexts.words}
            help={spoilerTexts.help}
            value={words}
            onChange={(text) => {
              setWords(text);
              setIsMissing(false);
            }}
            validationBehavior="aria"
            validate={() => (isMissing ? spoilerTexts.missing : null)}
            autoComplete="off"
          />
          <Button onPress={add} isDisabled={words === ''}>
            {spoilerTexts.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** Finds the first place of words that is not hidden yet. */
function findFree(content: string, words: string, hidden: readonly Spoiler[]): Spoiler | undefined {
  if (words === '') return undefined;
  for (let offset = content.indexOf(words); offset >= 0; offset = content.indexOf(words, offset + 1)) {
    const end = offset + words.length;
    if (hidden.every((each) => end <= each.offset || offset >= each.offset + each.length))
      return { offset, length: words.length };
  }
  return undefined;
}

interface Tag {
  username: string;
  x?: number;
  y?: number;
  mediaIndex?: number;
}

const tagTexts = words.options.tags;

/** People in the images. Instagram takes places from 0 to 1; people think of per cent. */
export function UserTagsControl({ control, media, value: given, of, set }: ControlProps<Special>) {
  const tags = Array.isArray(given) ? (given as readonly Tag[]) : [];
  const change = (next: readonly Tag[]) => set(next.length === 0 ? undefined : next);
  const edit = (place: number, changes: Partial<Tag>) => {
    const before = tags[place];
    if (before !== undefined) change(tags.with(place, { ...before, ...changes }));
  };
  const isVideo = media.length === 1 && media[0]?.type === 'video';
  return (
    <fieldset className={classes.rows}>
      <legend className={textClasses.label}>{control.label}</legend>
      {tags.length > 0 && !isVideo && <Muted>{tagTexts.help}</Muted>}
      {tags.map((tag, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tag is known by its place
        <div key={place} className={classes.row}>
          <TextField
            label={tagTexts.username}
            value={tag.username}
            onChange={(username) => edit(place, { username })}
            autoComplete="off"
          />
          {media.length > 1 && (
            <Numeric
              label={tagTexts.image}
              value={(tag.mediaIndex ?? 0) + 1}
              most={media.length}
              onChange={(image) => edit(place, { mediaIndex: Math.max(0, image - 1) })}
            />
          )}
          {!isVideo && (
            <>
              <Numeric
                label={tagTexts.x}
                value={percentOf(tag.x)}
                most={100}
                onChange={(x) => edit(place, { x: x / 100 })}
              />
              <Numeric
                label={tagTexts.y}
                value={percentOf(tag.y)}
                most={100}
                onChange={(y) => edit(place, { y: y / 100 })}
              />
            </>
          )}
          <IconButton
            icon="cross"
            label={tagTexts.remove(tag.username)}
            onPress={() => change(tags.toSpliced(place, 1))}
          />
        </div>
      ))}
      <Said of={of} />
      {tags.length < maxUserTags && (
        <div>
          <Button
            size="small"
            icon="plus"
            onPress={() => change([...tags, { username: '', ...(!isVideo && { x: 0.5, y: 0.5 }) }])}
          >
            {tagTexts.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

const percentOf = (part: number | undefined): number | undefined =>
  part === undefined ? undefined : Math.round(part * 100);

interface NumericProps {
  label: string;
  value: number | undefined;
  most: number;
  onChange: (value: number) => void;
}

function Numeric({ label, value, most, onChange }: NumericProps) {
  return (
    <TextField
      label={label}
      inputMode="numeric"
      value={value === undefined ? '' : String(value)}
      onChange={(text) => {
        const number = Number.parseInt(text, 10);
        onChange(Number.isNaN(number) ? 0 : Math.min(most, Math.max(0, number)));
      }}
      autoComplete="off"
    />
  );
}

type Texts = Readonly<Record<string, string | undefined>>;
const fields = [
  ['title', titleCharacters],
  ['description', descriptionCharacters],
  ['link', linkCharacters],
] as const;

/** Title, description and link of each image of a carousel. */
export function CarouselTextsControl({ control, media, value, of, set }: ControlProps<Special>) {
  const given = Array.isArray(value) ? (value as readonly Texts[]) : [];
  const places = Math.max(media.length, given.length);
  const change = (place: number, field: string, text: string) => {
    const next = Array.from({ length: places }, (_, each) => {
      const texts = { ...given[each] };
      if (each === place && text !== '') texts[field] = text;
      else if (each === place) delete texts[field];
      return texts;
    });
    const last = next.findLastIndex((each) => Object.keys(each).length > 0);
    set(last < 0 ? undefined : next.slice(0, last + 1));
  };
  const texts = words.options.pinterest.carouselItems;
  return (
    <fieldset className={classes.rows}>
      <legend className={textClasses.label}>{control.label}</legend>
      {Array.from({ length: places }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the texts belong to the place
        <fieldset key={place} className={classes.row3}>
          <legend>
            <Muted as="span">{texts.image(place + 1)}</Muted>
          </legend>
          {fields.map(([field, most]) => (
            <TextField
              key={field}
              label={texts[field]}
              value={given[place]?.[field] ?? ''}
              onChange={(text) => change(place, field, text)}
              maxLength={most}
              autoComplete="off"
              {...(field === 'link' && { type: 'url' })}
            />
          ))}
        </fieldset>
      ))}
      <Said of={of} />
    </fieldset>
  );
}

interface CaptionTrack {
  language: string;
  name?: string;
  text: string;
}

const captionTexts = words.options.captions;

/** Returns the language in a file's name, such as `harbour.pt-BR.srt`. */
const languageIn = (fileName: string): string =>
  /[._-]([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})?)\.(?:srt|vtt)$/.exec(fileName)?.[1] ?? '';

/** The caption tracks of a video: files that the browser reads. */
export function CaptionsControl({ control, value: given, of, set }: ControlProps<Special>) {
  const tracks = Array.isArray(given) ? (given as readonly CaptionTrack[]) : [];
  const change = (next: readonly CaptionTrack[]) => set(next.length === 0 ? undefined : next);
  const edit = (place: number, changes: Partial<CaptionTrack>) => {
    const before = tracks[place];
    if (before !== undefined) change(tracks.with(place, { ...before, ...changes }));
  };
  const add = async (files: readonly File[]) => {
    const added = files.map(async (file) => ({ language: languageIn(file.name), text: await file.text() }));
    change([...tracks, ...(await Promise.all(added))].slice(0, captionLimits.tracks));
  };
  return (
    <fieldset className={classes.rows}>
      <legend className={textClasses.label}>{control.label}</legend>
      <Muted>{control.help}</Muted>
      {tracks.map(({ language, name = '', text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a track is known by its place
        <div key={place} className={classes.row}>
          <TextField
            label={captionTexts.language}
            help={captionTexts.languageHelp}
            value={language}
            onChange={(tag) => edit(place, { language: tag.trim() })}
            maxLength={35}
            autoComplete="off"
          />
          <TextField
            label={captionTexts.name}
            isOptional
            value={name}
            onChange={(next) => edit(place, { name: next })}
            maxLength={captionLimits.nameCharacters}
            autoComplete="off"
          />
          <Muted as="span">{captionTexts.lines(text.split('\n').length)}</Muted>
          <IconButton
            icon="cross"
            label={captionTexts.remove(language)}
            onPress={() => change(tracks.toSpliced(place, 1))}
          />
        </div>
      ))}
      <Said of={of} />
      {tracks.length < captionLimits.tracks && (
        <div>
          <FilePicker
            label={captionTexts.add}
            icon="plus"
            size="small"
            accept=".srt,.vtt,text/vtt,application/x-subrip"
            isMultiple
            onChoose={(files) => void add(files)}
          />
        </div>
      )}
    </fieldset>
  );
}
