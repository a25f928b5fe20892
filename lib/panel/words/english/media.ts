import { count } from './locale.ts';

const kindsOfFiles = { image: 'Images', video: 'Videos', document: 'Documents' } as const;

/** The files of a post. */
export const media = {
  again: 'Try again',
  list: 'Files of the post, in order',
  add: 'Add files',
  take: 'Take a photo or video',
  byAddress: 'Import from URL',
  fromLibrary: 'Choose from media',
  empty: 'Drop images, videos or documents anywhere on this page, or paste them.',
  dropNow: 'Drop to add to the post',
  types:
    'JPEG, PNG, WebP, GIF, HEIC, AVIF up to 30 MiB · MP4, MOV, WebM, MKV up to 1 GiB · PDF, Word, PowerPoint for LinkedIn',
  full: (most: number) => `A post has at most ${count(most, 'file', 'files')}. Remove one to add another.`,
  tooMany: (left: number, chosen: number) =>
    left === 0
      ? `None of the ${count(chosen, 'file', 'files')} was added: the post is full.`
      : `Only the first ${left} of ${count(chosen, 'file', 'files')} were added: the post is full then.`,
  folders: 'Folders cannot be added. Choose the files in them.',

  refused: {
    empty: 'The file is empty.',
    unreadable: 'The browser cannot read the file any more. Choose it again.',
    type: (name?: string) => {
      if (name === 'audio') return 'This is an audio file. No platform takes it: make a video of it.';
      if (name === 'archive') return 'This is an archive. Unpack it and add the files in it.';
      return name === undefined
        ? 'No platform takes files of this type. Use JPEG, PNG, WebP, GIF, HEIC, AVIF, MP4, MOV, WebM, MKV, PDF, Word or PowerPoint.'
        : `No platform takes ${name}. Save it as ${['AVI', 'MPEG', 'WMV'].includes(name) ? 'MP4' : 'JPEG'} and add it again.`;
    },
    size: (kind: keyof typeof kindsOfFiles, has: string, most: string) =>
      `${kindsOfFiles[kind]} may have up to ${most}; this one has ${has}.`,
  },

  uploads: {
    label: 'Uploads',
    waiting: 'Waiting to upload',
    preparing: 'Checking the file…',
    sent: (sent: string, all: string) => `${sent} of ${all}`,
    confirming: 'Sent, waiting for the confirmation…',
    cancel: (name: string) => `Cancel ${name}`,
    retry: (name: string) => `Try ${name} again`,
    dismiss: (name: string) => `Dismiss ${name}`,
    network: 'The connection broke off.',
    offline: 'You are offline.',
    storage: (status: number) =>
      `The storage refused the file (status ${status}). Try again; if it is refused again, save a new copy of the file and add that.`,
    full: 'The workspace’s storage is full. Delete posts whose files nobody needs any more, then try again.',
    wait: 'There were too many requests. Wait a minute, then try again.',
    signIn: 'Your session has ended. Try again to sign in; the upload goes on then.',
    announced: (name: string) => `${name} is uploaded`,
  },

  lost: {
    title: (files: number) =>
      files === 1 ? 'A file was not uploaded completely' : `${files} files were not uploaded completely`,
    text: (names: readonly string[]) =>
      names.length === 1
        ? `The page was closed before it was sent: ${names[0]}. Add it again; a large file goes on where it was.`
        : `The page was closed before they were sent: ${names.join(', ')}. Add them again; large files go on where they were.`,
  },

  tile: {
    image: 'Image',
    video: 'Video',
    document: 'Document',
    name: (kind: string, place: number, name: string) => `${kind} ${place}: ${name}`,
    pixels: (width: number, height: number) => `${width} × ${height}`,
    checking: 'Being checked…',
    importing: 'Being fetched…',
    importedBytes: (received: string, all: string | undefined) =>
      all === undefined ? `${received} fetched` : `${received} of ${all} fetched`,
    waitsUntil: 'The server did not answer. The service tries again.',
    unknown: 'The file no longer exists. Remove it.',
    drag: (name: string) => `Move ${name}`,
    menu: (name: string) => `Actions for ${name}`,
    describe: 'Describe',
    described: 'Described',
    describeName: (name: string) => `Describe ${name}`,
    describedName: (name: string) => `Described: ${name}. Change`,
    earlier: 'Move earlier',
    later: 'Move later',
    first: 'Move to the beginning',
    remove: 'Remove',
    removed: (name: string) => `${name} is removed from the post`,
    undo: 'Undo',
    noPicture: (format?: string) => `This browser cannot show ${format ?? 'it'}`,
    remote: 'Shown once it is imported',
  },

  alt: {
    title: (place: number) => `Describe file ${place}`,
    label: 'Description',
    help: 'For people who cannot see it. Say what matters: who, what, where, and any text in it.',
    next: 'Next file',
    previous: 'Previous file',
    done: 'Done',
    over: (platforms: string, by: number) =>
      `${count(by, 'character', 'characters')} too many for ${platforms}.`,
  },

  address: {
    title: 'Add a file from an address',
    label: 'Address',
    help: 'A public address that begins with https:// and needs no login. The service fetches the file.',
    wrong: 'Enter an address that begins with https://.',
    add: 'Fetch the file',
    failed: 'The file was not added',
  },

  cover: {
    title: 'Cover of the video',
    frame: 'Frame',
    at: (time: string) => `at ${time}`,
    frameFor: (platforms: string) => `${platforms} show this frame.`,
    noFrame: 'The platform chooses the frame.',
    clearFrame: 'Let the platform choose',
    noPicture:
      'This browser cannot play the video. Choose the time; the platforms take the frame from the file.',
    noDuration: 'The frame can be chosen once the video is checked.',
    image: 'Cover image',
    imageFor: (platforms: string) => `${platforms} show it instead of a frame. JPEG or PNG.`,
    addImage: 'Add cover image',
    replaceImage: 'Replace',
    removeImage: 'Remove cover image',
    imageOnly: 'A cover is a JPEG or PNG image.',
  },
};
