import { Chat } from '@ai-sdk/vue';
import { answerTwice, settings } from './drive.mjs';

await answerTwice(new Chat(settings));
