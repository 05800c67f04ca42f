import type { PasskeySettingMessages } from './passkey-messages-en.ts'

export const passkeysEs: PasskeySettingMessages = {
  title: 'Llaves de acceso',
  hint: 'Inicia sesión con tu huella, tu cara o un PIN en lugar de la contraseña. Una llave de acceso no funciona en copias falsas de esta página. Tu contraseña sigue funcionando.',
  emptyTitle: 'Todavía no hay llaves de acceso',
  empty: 'Añade una para iniciar sesión sin escribir la contraseña.',
  added: (date) => `Añadida: ${date}`,
  lastUsed: (date) => `Último uso: ${date}`,
  neverUsed: 'Aún no se ha usado',
  copied: (date) =>
    `Alguien ha intentado usar una copia de esta llave de acceso (${date}). La hemos rechazado. Elimina esta llave y añade una nueva.`,
  full: 'Has alcanzado el número máximo de llaves de acceso. Elimina una para añadir otra.',
  notHere:
    'Este navegador no admite llaves de acceso. Usa un navegador más reciente para añadir una.',
  add: 'Añadir una llave de acceso',
  addText:
    'Escribe tu contraseña. Después el navegador te pregunta dónde guardar la llave y te pide desbloquearla.',
  name: 'Nombre',
  nameHint: 'Dónde la guardas, por ejemplo «Mi móvil».',
  nameMissing: 'Escribe un nombre para esta llave de acceso.',
  nameRefused: 'Usa como máximo 80 caracteres.',
  continue: 'Continuar',
  wasAdded: (name) => `Llave de acceso añadida: ${name}.`,
  rename: 'Cambiar nombre',
  renameNamed: (name) => `Cambiar el nombre de la llave de acceso ${name}`,
  wasRenamed: (name) => `Nombre de la llave de acceso cambiado: ${name}.`,
  remove: 'Eliminar',
  removeNamed: (name) => `Eliminar la llave de acceso ${name}`,
  removeTitle: (name) => `¿Eliminar la llave de acceso ${name}?`,
  removeText:
    'Ya no podrás iniciar sesión con ella. Bórrala también en tu dispositivo, para que el navegador deje de ofrecerla.',
  wasRemoved: (name) => `Llave de acceso eliminada: ${name}.`,
}
