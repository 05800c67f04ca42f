/** The part of messages-es.ts about the statement of a month. */
import type { statementEn } from './messages-en.ts'

export const statementEs: typeof statementEn = {
  title: 'Extracto',
  open: 'Extracto',
  back: 'Movimientos',
  month: 'Mes',
  print: 'Imprimir o guardar como PDF',
  of: (month) => `Extracto de ${month}`,
  holder: 'Titular',
  period: 'Periodo',
  days: (first, last) => `${first} a ${last}`,
  zone: (zone) => `Zona horaria: ${zone}`,
  opening: 'Saldo inicial',
  totalIn: 'Entradas',
  totalOut: 'Salidas',
  closing: 'Saldo final',
  soFar: 'Saldo hasta ahora',
  date: 'Fecha',
  details: 'Concepto',
  amount: 'Importe',
  balance: 'Saldo',
  none: 'No hay movimientos en este mes.',
  unavailable:
    'No hay extracto de este mes. Si sus movimientos están archivados, contacta con el servicio de ayuda para obtener una copia. Si son demasiados, descarga el archivo CSV.',
  failed: 'No hemos podido cargar el extracto.',
}
