/** Options of the platforms in the composer: for each its label and, if needed, what it does. */
export const options = {
  title: (platform: string) => `Options for ${platform}`,
  more: 'More options',
  defaults: {
    keep: 'Begin new posts like this',
    forget: 'Begin new posts without these',
    kept: 'New posts for this account begin like this.',
    failed: 'The defaults were not kept',
  },
  usual: (choice: string) => `${choice} (default)`,
  comma: 'With commas between.',
  needsFeature: (feature: string) =>
    `This account has not been allowed ${feature}. Connect it again and leave all permissions selected. If it is still missing then, this service does not offer it.`,
  reconnect: 'Connect it again',
  features: {
    captions: 'captions',
    comments: 'comments',
    playlists: 'playlists',
    drafts: 'drafts',
  } as Readonly<Record<string, string>>,

  others: 'Other options',
  othersHelp: 'They were set elsewhere, such as by the API. They stay as they are unless you remove them.',
  removeOther: (name: string) => `Remove ${name}`,

  firstComment: {
    label: 'First comment',
    help: 'Replaces the first comment of all accounts. Leave it empty for none here.',
    inherited: 'As for all accounts',
    override: 'Write another one',
    inherit: 'Use the shared one',
  },

  instagram: {
    contentType: {
      label: 'Appears as',
      choices: { feed: 'Post', reel: 'Reel', story: 'Story' },
    },
    shareToFeed: { label: 'Also show the reel in the feed' },
    collaborators: {
      label: 'Co-authors',
      help: 'Up to three usernames, with commas between. They are invited once the post is live.',
    },
    userTags: { label: 'Tagged people' },
    audioName: { label: 'Name of the audio', help: 'Shown with the reel. It can be changed once.' },
    trialReel: {
      label: 'Trial reel',
      help: 'Shown to people who do not follow the account first.',
      choices: {
        MANUAL: 'Yes; a person shares it with everyone',
        SS_PERFORMANCE: 'Yes; shared with everyone if it does well',
      },
      none: 'No',
    },
    locationId: { label: 'Place', help: 'The id of a Facebook Page that has an address, in digits.' },
    isAiGenerated: { label: 'Label as made with AI' },
    commentsEnabled: { label: 'Allow comments', help: 'Turned off as soon as the post is live.' },
  },

  facebook: {
    contentType: {
      label: 'Appears as',
      choices: { feed: 'Post', reel: 'Reel', story: 'Story' },
    },
    link: { label: 'Link', help: 'Shown with a preview below the text.' },
    title: { label: 'Title of the video' },
    countries: {
      label: 'Only in these countries',
      help: 'Codes of two letters, with commas between, such as DE, AT. Nobody else sees the post.',
    },
    collaborators: {
      label: 'Collaborators',
      help: 'The ids of up to ten Pages, with commas between. They are invited once the reel is live.',
    },
    draft: {
      label: 'Only a draft in Meta Business Suite',
      help: 'Somebody publishes it there.',
    },
  },

  threads: {
    link: { label: 'Link', help: 'Shown with a preview. Without one: the first link of the text.' },
    topicTag: { label: 'Topic', help: 'Without one: the first hashtag of the text.' },
    replyControl: {
      label: 'Who may reply',
      choices: {
        everyone: 'Everyone',
        accounts_you_follow: 'Accounts that it follows',
        mentioned_only: 'Only people mentioned in the text',
        parent_post_author_only: 'Only the author of the post above',
        followers_only: 'Only followers',
      },
    },
    thread: {
      label: 'Thread',
      part: (number: number) => `Part ${number}`,
      files: (number: number) => `Files of part ${number}`,
      add: 'Add a part',
      remove: (number: number) => `Remove part ${number}`,
    },
    gifId: { label: 'GIF', help: 'The id of a GIF at GIPHY; not its address.' },
    textAttachment: {
      label: 'Longer text',
      help: 'Readers open it below the text.',
      link: 'Its link',
    },
    isGhostPost: { label: 'Archive it after 24 hours' },
    isSpoiler: { label: 'Hide the files until they are tapped' },
    textSpoilers: { label: 'Hidden words' },
    poll: { label: 'Poll' },
    quotePostId: { label: 'Quoted post', help: 'The id of a post on Threads, in digits; not its address.' },
    replyApprovals: { label: 'Approve each reply before it appears' },
  },

  youtube: {
    title: { label: 'Title', help: 'Without one: the first line of the text.' },
    privacy: {
      label: 'Who can see it',
      choices: { public: 'Everyone', unlisted: 'Everyone with the link', private: 'Only the channel' },
    },
    madeForKids: {
      label: 'Is it made for kids?',
      help: 'The law requires this of every video. Videos made for kids have no comments.',
      no: 'No',
      yes: 'Yes, it is made for kids',
    },
    playlistId: {
      label: 'Playlist',
      none: 'No playlist',
      help: 'The video is added before its time, if possible.',
    },
    captions: {
      label: 'Captions',
      help: 'SRT or WebVTT files. They are added before its time, if possible.',
    },
    tags: { label: 'Tags' },
    categoryId: { label: 'Category' },
    notifySubscribers: { label: 'Notify subscribers' },
    containsSyntheticMedia: { label: 'Altered or synthetic content' },
    defaultLanguage: { label: 'Language of title and text', help: 'A language tag, such as en or pt-BR.' },
    license: {
      label: 'Licence',
      choices: { youtube: 'Standard YouTube licence', creativeCommon: 'Creative Commons, attribution' },
    },
    embeddable: { label: 'Allow embedding' },
    publicStatsViewable: { label: 'Show the number of views and likes' },
    hasPaidProductPlacement: { label: 'Has a paid placement, sponsorship or endorsement' },
    categories: {
      '1': 'Film & animation',
      '2': 'Autos & vehicles',
      '10': 'Music',
      '15': 'Pets & animals',
      '17': 'Sport',
      '19': 'Travel & events',
      '20': 'Gaming',
      '22': 'People & blogs',
      '23': 'Comedy',
      '24': 'Entertainment',
      '25': 'News & politics',
      '26': 'How-to & style',
      '27': 'Education',
      '28': 'Science & technology',
      '29': 'Non-profits & activism',
    } as Readonly<Record<string, string>>,
  },

  pinterest: {
    boardId: { label: 'Board', none: 'This account has no board yet. Create one on Pinterest.' },
    boardSectionId: { label: 'Section of the board', none: 'No section' },
    title: { label: 'Title' },
    link: { label: 'Link', help: 'Where the Pin leads to.' },
    aiDisclosures: {
      label: 'Use of AI',
      choices: {
        AI_MODIFIED: 'Modified by AI',
        SYNTHETIC_PERFORMER: 'Shows a performer that AI has made',
      },
    },
    dominantColor: { label: 'Colour while the image loads', help: 'Such as #6E7874.' },
    coverImageUrl: {
      label: 'Address of a cover',
      help: 'An image for this Pin only, which Pinterest fetches.',
    },
    carouselItems: {
      label: 'Texts of each image',
      title: 'Title',
      description: 'Description',
      link: 'Link',
      image: (place: number) => `Image ${place}`,
    },
    carouselCoverIndex: { label: 'Image that is shown first' },
  },

  tiktok: {
    privacyLevel: {
      label: 'Who can see this post',
      placeholder: 'Choose…',
      levels: {
        PUBLIC_TO_EVERYONE: 'Everyone',
        MUTUAL_FOLLOW_FRIENDS: 'Friends',
        FOLLOWER_OF_CREATOR: 'Followers',
        SELF_ONLY: 'Only me',
      } as Readonly<Record<string, string>>,
      brandedNotPrivate: 'Branded content visibility cannot be set to private.',
    },
    postsAs: (name: string) => `Posts as ${name}.`,
    creatorUnknown: 'TikTok does not say at the moment what this account may post.',
    longest: (seconds: number) => `The longest video that this account may post has ${seconds} seconds.`,
    tooLong: (seconds: number, most: number) =>
      `The video has ${seconds} seconds; this account may post up to ${most}.`,
    turnedOff: 'Turned off in the account’s TikTok settings.',
    draft: {
      label: 'Only send it to the TikTok app',
      help: 'A person completes it there. All other choices are made in the app.',
    },
    disableComment: { label: 'Allow comments' },
    disableDuet: { label: 'Allow duets' },
    disableStitch: { label: 'Allow stitches' },
    brandOrganicToggle: {
      label: 'Disclose post content',
      help: 'Turn on to disclose that this post promotes goods or services in exchange for something of value. It could promote yourself, a third party, or both.',
    },
    yourBrand: {
      label: 'Your brand',
      help: 'You are promoting yourself or your own business.',
    },
    brandContentToggle: {
      label: 'Branded content',
      help: 'You are promoting another brand or a third party.',
    },
    labeled: (isBranded: boolean) =>
      `Your photo/video will be labeled as “${isBranded ? 'Paid partnership' : 'Promotional content'}”. This cannot be changed once it is posted.`,
    isAigc: { label: 'Label as generated by AI' },
    autoAddMusic: { label: 'Let TikTok add music' },
    photoCoverIndex: { label: 'Photo that is the cover' },
    title: { label: 'Title of the photos' },
    agreement: {
      byPosting: 'By posting, you agree to TikTok’s',
      branded: 'Branded Content Policy',
      and: 'and',
      music: 'Music Usage Confirmation',
    },
    processing: 'After publishing, it may take a few minutes until the post is visible on the profile.',
  },

  linkedin: {
    visibility: {
      label: 'Who can see it',
      choices: { PUBLIC: 'Everyone', CONNECTIONS: 'Connections', LOGGED_IN: 'Everyone who is signed in' },
    },
    geoLocations: {
      label: 'Only in these places',
      help: 'For organizations: LinkedIn’s ids, with commas between, such as urn:li:geo:103644278.',
    },
    disableReshare: { label: 'Nobody can reshare it' },
    link: {
      label: 'Link',
      help: 'Shown as an article with your own title, in place of the card of a link in the text.',
    },
    mention: {
      label: 'Mention someone',
      help: 'An organization by the end of its address on LinkedIn, or a follower by the beginning of a name.',
      find: 'Find',
      nobody: 'Nobody was found.',
      add: (name: string, description: string | null) =>
        description === null ? `Mention ${name}` : `Mention ${name} (${description})`,
    },
    linkPreview: { label: 'Show a card for the first link in the text' },
    title: { label: 'Title', help: 'Of the link, the video or the document.' },
    documentTitle: { label: 'Title of the document' },
    description: { label: 'Description of the link' },
    poll: { label: 'Poll' },
    reshare: { label: 'Reshared post', help: 'The address of a post on LinkedIn, or its URN.' },
  },

  file: (place: number) => `${place}`,
  fileUsual: 'The first',

  poll: {
    add: 'Add a poll',
    remove: 'Remove the poll',
    question: 'Question',
    answer: (place: number) => `Answer ${place}`,
    addAnswer: 'Add an answer',
    removeAnswer: (place: number) => `Remove answer ${place}`,
    duration: 'Open for',
    durations: {
      ONE_DAY: 'One day',
      THREE_DAYS: 'Three days',
      SEVEN_DAYS: 'A week',
      FOURTEEN_DAYS: 'Two weeks',
    },
  },

  tags: {
    add: 'Tag somebody',
    username: 'Username',
    image: 'Image',
    x: 'From the left, %',
    y: 'From the top, %',
    remove: (name: string) => `Remove ${name || 'the tag'}`,
    help: 'Where in the image the tag is.',
  },

  captions: {
    add: 'Add a file',
    language: 'Language',
    languageHelp: 'A tag, such as en or pt-BR.',
    name: 'Name',
    lines: (count: number) => `${count} lines`,
    remove: (language: string) => `Remove the captions ${language}`,
  },

  spoilers: {
    words: 'Words to hide',
    add: 'Hide them',
    help: 'Words of the text, exactly as they are there. Readers tap to see them.',
    missing: 'The text does not have these words, or they are hidden already.',
    remove: (words: string) => `Show “${words}” again`,
    outside: 'outside of the text',
  },

  boards: {
    loading: 'Reading the boards…',
    again: 'Read them again',
    unlisted: (id: string) => `Board ${id}`,
    secret: (name: string) => `${name} (secret)`,
  },
  playlists: { loading: 'Reading the playlists…', unlisted: (id: string) => `Playlist ${id}` },
};
