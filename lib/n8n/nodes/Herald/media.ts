import type {
  IBinaryData,
  IDataObject,
  IExecuteSingleFunctions,
  IN8nHttpFullResponse,
  INodeExecutionData,
  INodeProperties,
} from 'n8n-workflow';
import { idOf, inBody, operationsOf } from './fields.ts';
import { only, route } from './requests.ts';
import type { PreSend } from './values.ts';

const show = (...operations: string[]) => ({ show: { resource: ['media'], operation: operations } });

const binaryOf = (context: IExecuteSingleFunctions): IBinaryData =>
  context.helpers.assertBinaryData(context.getNodeParameter('binaryPropertyName') as string);

/** Says which file will be sent. n8n does not know the type of some; Herald takes it from the name. */
const describeFile: PreSend = async function (options) {
  const { id, fileName, fileExtension, mimeType, data } = binaryOf(this);
  const own = this.getNodeParameter('filename', '') as string;
  const size = id ? (await this.helpers.getBinaryMetadata(id)).fileSize : Buffer.from(data, 'base64').length;
  return {
    ...options,
    body: {
      filename: own || fileName || `file.${fileExtension ?? mimeType.split('/')[1]}`,
      size,
      ...(mimeType !== 'application/octet-stream' && { contentType: mimeType }),
    },
  };
};

/** Sends the file to the address that Herald has given. A large one is not held in memory. */
async function sendFile(
  this: IExecuteSingleFunctions,
  _items: INodeExecutionData[],
  { body }: IN8nHttpFullResponse,
): Promise<INodeExecutionData[]> {
  const { mediaId, uploadUrl, publicUrl, contentType } = body as IDataObject;
  const { id, data } = binaryOf(this);
  const size = id ? (await this.helpers.getBinaryMetadata(id)).fileSize : undefined;
  await this.helpers.httpRequest({
    method: 'PUT',
    url: uploadUrl as string,
    headers: {
      'Content-Type': contentType as string,
      ...(size !== undefined && { 'Content-Length': size }),
    },
    body: id ? await this.helpers.getBinaryStream(id) : Buffer.from(data, 'base64'),
    // To be able to follow one, n8n would keep the file in memory.
    disableFollowRedirect: true,
  });
  return [{ json: { mediaId, publicUrl, contentType }, pairedItem: { item: this.getItemIndex() } }];
}

export const mediaProperties: INodeProperties[] = [
  operationsOf('media', 'upload', [
    {
      name: 'Get',
      value: 'get',
      action: 'Get a media file',
      description: 'Get a file, with its status and what was found in it',
      routing: route({
        method: 'GET',
        url: "=/v1/media/{{ encodeURIComponent($parameter['mediaId']) }}",
        after: only('media'),
      }),
    },
    {
      name: 'Import From URL',
      value: 'import',
      action: 'Import a media file from a URL',
      description: 'Let Herald fetch a file from a public address',
      routing: route({ method: 'POST', url: '/v1/media', after: only('media') }),
    },
    {
      name: 'Upload',
      value: 'upload',
      action: 'Upload a media file',
      description: 'Upload a file of the item. Its publicUrl is for the media URLs of a post.',
      routing: route({ method: 'POST', url: '/v1/media/presign', before: [describeFile], after: sendFile }),
    },
  ]),
  idOf('media', 'Media ID', ['get']),
  inBody({
    displayName: 'URL',
    name: 'url',
    type: 'string',
    required: true,
    displayOptions: show('import'),
    default: '',
    placeholder: 'https://example.com/picture.jpg',
    description: 'A public https address',
  }),
  {
    displayName: 'Input Binary Field',
    name: 'binaryPropertyName',
    type: 'string',
    required: true,
    displayOptions: show('upload'),
    default: 'data',
    hint: 'The name of the input field containing the file',
  },
  {
    displayName: 'File Name',
    name: 'filename',
    type: 'string',
    displayOptions: show('upload'),
    default: '',
    description: 'Name of the file, if it has none or another one in the item',
  },
];
