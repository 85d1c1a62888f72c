import { pastMessages } from '../actors/past.ts';
import { people } from '../actors/people.ts';
import type { Imported } from '../history.ts';
import type { Part } from './part.ts';

/** Imports a chat, whether it exists, was imported or was erased: the same messages each time, or not all of them. */
export const importsChats: Part = (stage, requests, random) => {
  const { profile, world, history } = stage;
  if (!profile.imports) return undefined;
  const { chatAt, anyPlace, anyInstance, ownerOf, placeOf, inbox } = requests;
  const importing = stage.random('importing');

  function importChat(): void {
    const gone = random.chance(0.3) ? history.erased.at(-1)?.chatId : undefined;
    const chatId = gone ?? chatAt(anyPlace());
    const at = anyInstance();
    const who = ownerOf(placeOf(chatId));
    const past = pastMessages(stage.random(`past of ${chatId}`), chatId, profile);
    const messages = random.chance(0.1) ? past.slice(0, -1) : past;
    const imported: Imported = { moment: history.moment(), instance: at.name, chatId };
    history.imports.push(imported);
    const end = (status: NonNullable<Imported['status']>) => {
      imported.status = status;
      world.note(`${at.name} import of ${chatId}: ${status}`);
    };
    at.flow.imports
      .chat({ principal: people[who], chatId, messages, createdAt: world.now() - world.elapsed() })
      .then(
        ({ status }) => {
          end(status);
          inbox(who);
        },
        () => end('refused'),
      );
  }

  return (step) => {
    if (!importing.chance(step === 0 ? 0.9 : 0.1)) return false;
    importChat();
    return true;
  };
};
