import { useEffect, useEffectEvent, useState } from 'react';

/** Whether what is dragged comes from outside: images of the page are files too when they are dragged. */
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

/** What is over the page takes no files for it. */
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
