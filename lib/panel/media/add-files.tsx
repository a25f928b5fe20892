import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button, type ButtonProps } from '../components/button.tsx';
import { join } from '../components/classes.ts';
import { Muted } from '../components/layout.tsx';
import { words } from '../words/words.ts';
import { acceptedInPicker } from './accepted.ts';
import type { DraftMedia, MediaView } from './draft-media.ts';
import classes from './media.module.css';

const AddressDialog = lazy(async () => ({ default: (await import('./address-dialog.tsx')).AddressDialog }));

const ChooseDialog = lazy(async () => ({ default: (await import('./choose-dialog.tsx')).ChooseDialog }));

interface AddFilesProps {
  isEmpty: boolean;
  left: number;
  mostItems: number;
  onChoose: (files: readonly File[]) => void;
  onImport: (media: DraftMedia) => void;
  onReuse: (files: readonly DraftMedia[]) => void;
}

/** The ways to add files: from the disk, from the camera, and from an address. */
export function AddFiles({ isEmpty, left, mostItems, onChoose, onImport, onReuse }: AddFilesProps) {
  const [isAsking, setAsking] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  return (
    <div className={join(classes.adding, isEmpty && classes.empty)}>
      {isEmpty && <p className={classes.invitation}>{words.media.empty}</p>}
      {left > 0 ? (
        <div className={classes.buttons}>
          <FilePicker
            label={words.media.add}
            icon="upload"
            accept={acceptedInPicker}
            isMultiple
            onChoose={onChoose}
          />
          <FilePicker
            label={words.media.take}
            accept="image/jpeg,video/mp4,video/quicktime"
            isCamera
            onChoose={onChoose}
          />
          <Button variant="quiet" icon="image" onPress={() => setChoosing(true)}>
            {words.media.fromLibrary}
          </Button>
          <Button variant="quiet" icon="links" onPress={() => setAsking(true)}>
            {words.media.byAddress}
          </Button>
        </div>
      ) : (
        <Muted size="xs">{words.media.full(mostItems)}</Muted>
      )}
      {isEmpty && <Muted size="xs">{words.media.types}</Muted>}
      {isChoosing && (
        <Suspense>
          <ChooseDialog
            left={left}
            onClose={() => setChoosing(false)}
            onChoose={(files) => {
              setChoosing(false);
              onReuse(files);
            }}
          />
        </Suspense>
      )}
      {isAsking && (
        <Suspense>
          <AddressDialog
            onClose={() => setAsking(false)}
            onAdd={(media) => {
              setAsking(false);
              onImport(importedFrom(media));
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

const importedFrom = ({ id, publicUrl, type, filename }: MediaView): DraftMedia => ({
  url: publicUrl,
  type,
  mediaId: id,
  fileName: filename,
});

interface FilePickerProps extends Pick<ButtonProps, 'variant' | 'size' | 'icon' | 'isDisabled'> {
  label: string;
  accept: string;
  isMultiple?: boolean;
  isCamera?: boolean;
  onChoose: (files: readonly File[]) => void;
}

/** A button that opens the picker of the system. */
export function FilePicker({ label, accept, isMultiple, isCamera, onChoose, ...rest }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <span className={isCamera ? classes.camera : undefined}>
      <Button {...rest} onPress={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        multiple={isMultiple}
        {...(isCamera && { capture: 'environment' as const })}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // So that the same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </span>
  );
}

/** Returns true if files are dragged. Images of the page are files, too, when they are dragged. */
const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/**
 * Takes the files that a person drops anywhere on the page, or pastes.
 *
 * @param take receives the files, and whether folders were among them
 * @returns whether files are being dragged over the page
 */
export function useIncomingFiles(
  isEnabled: boolean,
  take: (files: readonly File[], hasFolders: boolean) => void,
): boolean {
  const [isOver, setOver] = useState(false);
  const onTake = useEffectEvent(take);
  useEffect(() => {
    if (!isEnabled) return;
    const controller = new AbortController();
    const { signal } = controller;
    let isOurs = false;
    let depth = 0;
    const isForUs = (event: DragEvent) => !isOurs && hasFiles(event) && !isInDialog();
    const leave = () => {
      depth = 0;
      setOver(false);
    };
    addEventListener('dragstart', () => (isOurs = true), { signal });
    addEventListener('dragend', () => (isOurs = false), { signal });
    addEventListener(
      'dragenter',
      (event) => {
        if (!isForUs(event)) return;
        depth += 1;
        setOver(true);
      },
      { signal },
    );
    addEventListener(
      'dragleave',
      (event) => {
        if (!isForUs(event)) return;
        depth -= 1;
        if (depth <= 0) leave();
      },
      { signal },
    );
    addEventListener(
      'dragover',
      (event) => {
        if (!isForUs(event)) return;
        // Otherwise the browser would leave the page and open the file.
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      },
      { signal },
    );
    addEventListener(
      'drop',
      (event) => {
        if (!isForUs(event)) return;
        event.preventDefault();
        leave();
        onTake(...filesOf(event.dataTransfer));
      },
      { signal },
    );
    addEventListener(
      'paste',
      (event) => {
        // Programs add a picture of what is copied to its text: then the text is meant.
        const data = event.clipboardData;
        if (!data || data.files.length === 0 || data.types.includes('text/plain') || isInDialog()) return;
        event.preventDefault();
        onTake(...filesOf(data));
      },
      { signal },
    );
    return () => controller.abort();
  }, [isEnabled]);
  return isOver;
}

/** Returns true if a dialog is over the page: then nothing is dropped on the page. */
const isInDialog = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"]:not([aria-modal="false"])') !== null;

function filesOf(data: DataTransfer | null): [files: readonly File[], hasFolders: boolean] {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === 'file');
  const files = items.flatMap((item) => {
    if (item.webkitGetAsEntry()?.isDirectory) return [];
    const file = item.getAsFile();
    return file ? [file] : [];
  });
  return [files, files.length < items.length];
}
