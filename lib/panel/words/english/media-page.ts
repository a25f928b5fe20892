import { count } from './locale.ts';

/** The page of files, and the choice among them in a post. */
export const mediaPage = {
  title: 'Media',
  lead: 'The files that were uploaded or imported, newest first.',
  search: 'Search by file name',
  searchCommand: 'Search the files',
  kind: 'Kind',
  anyKind: 'All kinds',
  kinds: { image: 'Images', video: 'Videos', document: 'Documents' },
  list: 'Files',
  shown: (files: number, isMore: boolean) => `${count(files, 'file', 'files')}${isMore ? ' so far' : ''}`,
  stale: 'The files could not be read again. They may be out of date.',
  states: { pending: 'Not arrived yet', invalid: 'Cannot be used' },
  select: (name: string) => `Select ${name}`,
  open: (name: string) => `Details of ${name}`,

  none: {
    title: 'No files yet',
    text: 'Add a file to a post, and it will be here for the next one.',
    action: 'Write a post',
    foundTitle: 'No file is found',
    foundText: 'Search for another part of the name, or show all kinds.',
    foundMore: 'None among the newest files. Load more to look through older ones.',
    clear: 'Show all files',
  },

  storage: {
    title: 'Storage',
    used: (used: string, quota: string) => `${used} of ${quota}`,
    free: (free: string) => `${free} free`,
    full: 'The storage is full',
    fullText:
      'No file can be uploaded until there is space. Select files that you need no longer, and delete them.',
    near: 'The storage is nearly full',
    nearText: 'Delete files that you need no longer.',
    failed: 'The storage could not be read',
  },

  selected: (files: number) => `${count(files, 'file', 'files')} selected`,
  unselect: 'Select none',
  use: 'Use in a new post',
  useThese: (files: number) => (files === 1 ? 'Use the file' : `Use ${count(files, 'file', 'files')}`),
  delete: 'Delete…',

  remove: {
    title: (files: number) => (files === 1 ? 'Delete the file?' : `Delete ${count(files, 'file', 'files')}?`),
    text: (name: string, others: number) =>
      others === 0
        ? `${name} is deleted from the storage.`
        : `${name} and ${count(others, 'other file', 'other files')} are deleted from the storage.`,
    drafts: 'Drafts that use it cannot be scheduled any more. What is live stays live.',
    action: 'Delete',
    deleting: (done: number, all: number) => `Deleting ${done} of ${all}…`,
    done: (files: number) => `${count(files, 'file', 'files')} deleted`,
    keptTitle: (files: number) => `${count(files, 'file', 'files')} not deleted`,
    keptText: 'A scheduled post still needs what is listed here. Change or delete the post first.',
    close: 'Close',
  },

  details: {
    kind: 'Kind',
    size: 'Size',
    pixels: 'Pixels',
    duration: 'Duration',
    added: 'Added',
    from: 'Imported from',
    uses: 'Used in',
    unused: 'No post uses it.',
    usesFailed: 'The posts could not be read',
    moreUses: 'and in older posts',
    noTime: 'no time',
    oneKind: { image: 'Image', video: 'Video', document: 'Document' },
  },

  choose: {
    title: 'Choose from media',
    most: (left: number) => `The post takes ${count(left, 'more file', 'more files')}.`,
  },
};
